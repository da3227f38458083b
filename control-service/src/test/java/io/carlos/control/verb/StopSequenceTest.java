package io.carlos.control.verb;

import static io.carlos.control.verb.VerbBench.CMD;
import static io.carlos.control.verb.VerbBench.INVOCATION;
import static io.carlos.control.verb.VerbBench.LOOK_BEFORE_STOP;
import static io.carlos.control.verb.VerbBench.OTHER;
import static io.carlos.control.verb.VerbBench.RUN;
import static io.carlos.control.verb.VerbBench.STOP;
import static io.carlos.control.verb.VerbBench.TERM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.testing.Await;
import io.carlos.control.unit.SystemdException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StopSequenceTest {
    private static final String LOOK_AT_RUN = LOOK_BEFORE_STOP + RUN;
    private static final String TERM_TO_RUN = TERM + RUN;
    private static final String STOP_RUN = STOP + RUN;

    private VerbBench bench;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        bench = new VerbBench(directory);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private FutureTask<Void> stopInBackground() {
        FutureTask<Void> stop = new FutureTask<>(() -> {
            bench.stopSequence.stop(CMD);
            return null;
        });
        Thread.ofVirtual().start(stop);
        return stop;
    }

    @Test
    void aRunningUnitIsAskedToEndBeforeSystemdStopsIt() throws Exception {
        bench.systemd.shows(RUN, VerbBench.state(INVOCATION, "active", "running"));
        bench.box.populate(RUN).begin(RUN, INVOCATION);
        bench.systemd.when(TERM_TO_RUN, () -> bench.box.empty(RUN));

        bench.stopSequence.stop(RUN);

        assertThat(bench.systemd.calls()).containsExactly(LOOK_AT_RUN, TERM_TO_RUN, STOP_RUN);
    }

    @Test
    void aUnitWithoutProcessesGetsNoSignal() throws Exception {
        bench.systemd.shows(RUN, VerbBench.state(INVOCATION, "failed", "failed"));

        bench.stopSequence.stop(RUN);

        assertThat(bench.systemd.calls()).containsExactly(LOOK_AT_RUN, STOP_RUN);
    }

    @Test
    void aCommandThatIgnoresSigtermIsLeftToSystemdAfterItsGrace() throws Exception {
        bench.systemd.shows(RUN, VerbBench.state(INVOCATION, "active", "running"));
        bench.box.populate(RUN).begin(RUN, INVOCATION);
        bench.systemd.when(STOP_RUN, () -> bench.box.remove(RUN));

        bench.stopSequence.stop(RUN);

        assertThat(bench.systemd.calls()).containsExactly(LOOK_AT_RUN, TERM_TO_RUN, STOP_RUN);
    }

    @Test
    void processesThatRemainAfterTheStopAreAnErrorThatNamesTheUnit() {
        bench.systemd.shows(RUN, VerbBench.state(INVOCATION, "active", "running"));
        bench.box.populate(RUN).begin(RUN, INVOCATION);

        assertThatThrownBy(() -> bench.stopSequence.stop(RUN))
                .isInstanceOf(UnfinishedException.class)
                .hasMessageContaining(RUN.value())
                .hasMessageContaining("processes remain");
    }

    @Test
    void noSignalIsSentBeforeTheCommandOfAStartingUnitHasBegun() throws Exception {
        bench.systemd.shows(CMD, VerbBench.state(INVOCATION, "activating", "start"));
        bench.box.populate(CMD).begin(CMD, OTHER);
        bench.systemd.when(TERM + CMD, () -> bench.box.empty(CMD));
        FutureTask<Void> stop = stopInBackground();
        Await.until("several looks", () -> bench.systemd.count(LOOK_BEFORE_STOP + CMD) > 5);
        assertThat(bench.systemd.calls()).containsOnly(LOOK_BEFORE_STOP + CMD);

        bench.box.begin(CMD, INVOCATION);

        stop.get();
        assertThat(bench.systemd.calls()).endsWith(LOOK_BEFORE_STOP + CMD, TERM + CMD, STOP + CMD);
    }

    @Test
    void aUnitThatIsStillStartingWithoutAProcessIsWaitedFor() throws Exception {
        bench.systemd.shows(CMD, VerbBench.state(INVOCATION, "activating", "start"));
        FutureTask<Void> stop = stopInBackground();
        Await.until("several looks", () -> bench.systemd.count(LOOK_BEFORE_STOP + CMD) > 5);
        assertThat(bench.systemd.calls()).containsOnly(LOOK_BEFORE_STOP + CMD);

        bench.systemd.showsNow(CMD.value(), VerbBench.state(INVOCATION, "failed", "failed"));

        stop.get();
        assertThat(bench.systemd.calls()).endsWith(LOOK_BEFORE_STOP + CMD, STOP + CMD);
    }

    @Test
    void aStatusFileThatIsNoneIsNotBelieved() throws Exception {
        bench.systemd.shows(CMD, VerbBench.state(INVOCATION, "activating", "start"));
        bench.box.populate(CMD).writeStatus(CMD, INVOCATION, "{\"cause\":\"running\"}");
        FutureTask<Void> stop = stopInBackground();
        Await.until("several looks", () -> bench.systemd.count(LOOK_BEFORE_STOP + CMD) > 5);

        assertThat(bench.systemd.calls()).containsOnly(LOOK_BEFORE_STOP + CMD);
        stop.cancel(true);
    }

    @Test
    void aMainProcessThatEndedMeanwhileDoesNotKeepTheUnitFromBeingStopped() throws Exception {
        bench.systemd.shows(RUN, VerbBench.state(INVOCATION, "active", "running"));
        bench.box.populate(RUN).begin(RUN, INVOCATION);
        bench.systemd.when(TERM_TO_RUN, () -> {
            bench.box.empty(RUN);
            throw new SystemdException("No main process to kill");
        });

        bench.stopSequence.stop(RUN);

        assertThat(bench.systemd.calls()).containsExactly(LOOK_AT_RUN, TERM_TO_RUN, STOP_RUN);
        assertThat(bench.signalled).isEmpty();
    }

    @Test
    void aCommandThatRunsWhileSystemdKnowsNoMainProcessIsAskedToEndBeforeTheStop() throws Exception {
        bench.systemd.shows(CMD, VerbBench.state(INVOCATION, "active", "exited"));
        bench.box.populate(CMD).begin(CMD, INVOCATION);
        bench.systemd.refuse(TERM + CMD, "No main process to kill");
        bench.systemd.when(STOP + CMD, () -> assertThat(bench.signalled).containsExactly(CMD));

        bench.stopSequence.stop(CMD);

        assertThat(bench.systemd.calls()).containsExactly(LOOK_BEFORE_STOP + CMD, TERM + CMD, STOP + CMD);
        assertThat(bench.signalled).containsExactly(CMD);
    }

    @Test
    void aStartedUnitGetsNoSignalBeforeItsCommandHasBegun() throws Exception {
        bench.systemd.shows(CMD, VerbBench.state(INVOCATION, "active", "running"));
        bench.box.populate(CMD);
        bench.systemd.when(TERM + CMD, () -> {
            assertThat(bench.box.statusFile(CMD, INVOCATION)).exists();
            bench.box.empty(CMD);
        });
        FutureTask<Void> stop = stopInBackground();
        Await.until("a look", () -> bench.systemd.count(LOOK_BEFORE_STOP + CMD) > 1);

        bench.box.begin(CMD, INVOCATION);

        stop.get();
        assertThat(bench.systemd.calls()).endsWith(TERM + CMD, STOP + CMD);
    }

    @Test
    void aRefusedStopIsAnErrorWithSystemdsWords() {
        bench.systemd.shows(RUN, VerbBench.inactive());
        bench.systemd.refuse(STOP_RUN, "Transport endpoint is not connected");

        assertThatThrownBy(() -> bench.stopSequence.stop(RUN)).hasMessageContaining("Transport endpoint");
    }
}

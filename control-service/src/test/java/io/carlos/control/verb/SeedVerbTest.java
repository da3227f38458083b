package io.carlos.control.verb;

import static io.carlos.control.verb.VerbBench.HOST;
import static io.carlos.control.verb.VerbBench.INVOCATION;
import static io.carlos.control.verb.VerbBench.LOOK_BEFORE_STOP;
import static io.carlos.control.verb.VerbBench.OTHER;
import static io.carlos.control.verb.VerbBench.SEED;
import static io.carlos.control.verb.VerbBench.SLICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.testing.Await;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.UnitProperty;
import io.carlos.model.control.MainCode;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.files.StatusFile.Cause;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SeedVerbTest {
    private static final String SHOW = "show -p InvocationID,ActiveState,Result,ExecMainStatus,ExecMainCode " + SEED;
    private static final String SET =
            "set-property --runtime " + SLICE + " MemoryMax=536870912 MemoryHigh=483183820 MemorySwapMax=536870912";
    private static final String START = "start " + SEED;
    private static final String LOOK = LOOK_BEFORE_STOP + SEED;
    private static final String STOP = "stop --job-mode=ignore-dependencies " + SEED;
    private static final Map<UnitProperty, String> SUCCESS =
            VerbBench.ended(INVOCATION, "active", "exited", "success", "0", "1");
    private static final Map<UnitProperty, String> FAILED =
            VerbBench.ended(INVOCATION, "failed", "failed", "exit-code", "7", "1");

    private VerbBench bench;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        bench = new VerbBench(directory);
        bench.systemd.shows(SEED, VerbBench.inactive());
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private SeedAnswer seed() throws Exception {
        return bench.seed.seed(HOST, MemoryTier.MIB_512, Deadline.NONE);
    }

    private void showsAfterTheStart(Map<UnitProperty, String> properties) {
        bench.systemd.shows(SEED, properties);
    }

    @Test
    void aSeedIsShownBeforeItIsStopped() throws Exception {
        showsAfterTheStart(SUCCESS);

        assertThat(seed()).isEqualTo(new SeedAnswer(INVOCATION, "success", 0, MainCode.EXITED));
        assertThat(bench.systemd.calls()).containsExactly(SHOW, SET, START, SHOW, LOOK, STOP);
    }

    @Test
    void aSeedThatFailedIsAnAnswer() throws Exception {
        showsAfterTheStart(FAILED);
        bench.systemd.refuse(START, "Job for it failed");

        assertThat(seed()).isEqualTo(new SeedAnswer(INVOCATION, "exit-code", 7, MainCode.EXITED));
        assertThat(bench.systemd.calls()).endsWith(STOP);
    }

    @Test
    void aSeedThatWasNeverStartedIsNoAnswer() {
        bench.systemd.refuse(START, "Unit data-instances.mount has a bad unit file setting.");

        assertThatThrownBy(this::seed).hasMessageContaining("bad unit file setting");
    }

    @Test
    void aSeedThatRunsForSomebodyElseIsRefused() {
        bench.systemd.showsNow(SEED.value(), VerbBench.state(INVOCATION, "activating", "start"));

        assertThatThrownBy(this::seed).isInstanceOf(BusyException.class).hasMessageContaining(SEED.value());
        assertThat(bench.systemd.calls()).containsExactly(SHOW);
    }

    @Test
    void aSeedThatWasLeftBehindIsStoppedFirstAndNotAnsweredAgain() throws Exception {
        bench.systemd.showsNow(SEED.value(), VerbBench.ended(OTHER, "active", "exited", "success", "0", "1"));
        bench.systemd.when(START, () -> bench.systemd.showsNow(SEED.value(), FAILED));

        assertThat(seed()).isEqualTo(new SeedAnswer(INVOCATION, "exit-code", 7, MainCode.EXITED));
        assertThat(bench.systemd.calls()).startsWith(SHOW, LOOK, STOP, SET, START);
    }

    @Test
    void theEndOfAnEarlierSeedIsNoAnswerForOneThatWasNeverStarted() {
        bench.systemd.showsNow(SEED.value(), FAILED);
        bench.systemd.refuse(START, "A dependency job failed");

        assertThatThrownBy(this::seed).hasMessageContaining("A dependency job failed");
    }

    @Test
    void aStartThatDidNothingIsNoAnswer() {
        bench.systemd.showsNow(SEED.value(), SUCCESS);

        assertThatThrownBy(this::seed).hasMessageContaining("shows no invocation");
    }

    @Test
    void aUnitThatDoesNotStopKeepsTheAnswerOfASeedThatHasEnded() throws Exception {
        showsAfterTheStart(SUCCESS);
        bench.systemd.refuse(STOP, "Transport endpoint is not connected");

        assertThat(seed().result()).isEqualTo("success");
    }

    @Test
    void aSeedThatSystemdHoldsForEndedWhileItRunsIsShownWhenItHasEnded() throws Exception {
        showsAfterTheStart(SUCCESS);
        bench.box.populate(SEED);
        FutureTask<SeedAnswer> seed = new FutureTask<>(this::seed);
        Thread.ofVirtual().start(seed);
        Await.until("the start", () -> bench.systemd.count(START) > 0);

        bench.systemd.showsNow(SEED.value(), FAILED);
        bench.box.empty(SEED);

        assertThat(seed.get()).isEqualTo(new SeedAnswer(INVOCATION, "exit-code", 7, MainCode.EXITED));
    }

    @Test
    void theProgramInTheNamespaceIsBelievedBeforeSystemd() throws Exception {
        showsAfterTheStart(SUCCESS);
        bench.box.tell(SEED, INVOCATION, Cause.EXITED, 3);

        assertThat(seed()).isEqualTo(new SeedAnswer(INVOCATION, "exit-code", 3, MainCode.EXITED));
    }

    @Test
    void theFileOfAnotherInvocationIsNotBelieved() throws Exception {
        showsAfterTheStart(SUCCESS);
        bench.box.tell(SEED, OTHER, Cause.EXITED, 3);

        assertThat(seed().result()).isEqualTo("success");
    }

    @Test
    void aSeedThatWasKilledBeforeItsEndWasWrittenDownDidNotSucceed() throws Exception {
        showsAfterTheStart(SUCCESS);
        bench.box.begin(SEED, INVOCATION);

        assertThat(seed()).isEqualTo(new SeedAnswer(INVOCATION, "signal", 9, MainCode.KILLED));
    }

    @Test
    void whatOnlySystemdKnowsIsKept() throws Exception {
        showsAfterTheStart(VerbBench.ended(INVOCATION, "failed", "failed", "timeout", "15", "2"));
        bench.systemd.refuse(START, "Job for it failed");
        bench.box.tell(SEED, INVOCATION, Cause.KILLED, 15);

        assertThat(seed()).isEqualTo(new SeedAnswer(INVOCATION, "timeout", 15, MainCode.KILLED));
    }

    @Test
    void aStartWithoutAnAnswerIsNotTakenForASeedThatEnded() {
        showsAfterTheStart(VerbBench.state(INVOCATION, "activating", "start"));
        bench.systemd.when(START, () -> {
            bench.box.begin(SEED, INVOCATION);
            throw new SystemdException("no answer within 150 s");
        });

        assertThatThrownBy(this::seed).hasMessageContaining("no answer within 150 s");
    }
}

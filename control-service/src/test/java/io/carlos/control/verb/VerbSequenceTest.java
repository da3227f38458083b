package io.carlos.control.verb;

import static io.carlos.control.verb.VerbBench.CMD;
import static io.carlos.control.verb.VerbBench.HOST;
import static io.carlos.control.verb.VerbBench.INVOCATION;
import static io.carlos.control.verb.VerbBench.LOOK_BEFORE_STOP;
import static io.carlos.control.verb.VerbBench.OTHER;
import static io.carlos.control.verb.VerbBench.RUN;
import static io.carlos.control.verb.VerbBench.SEED;
import static io.carlos.control.verb.VerbBench.SLICE;
import static io.carlos.control.verb.VerbBench.STOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.ready.NotReadyException;
import io.carlos.control.testing.Await;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.MainCode;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.linux.BootClock;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which calls of systemctl each verb makes:
 *
 * <pre>
 * start   set-property; start; show InvocationID
 * seed    refused while one runs, the stop sequence of one left behind; set-property; start; empty control group;
 *         show how it ended; the stop sequence
 * cmd     refused while the unit is loaded; set-property; start --no-block; show InvocationID until there is one
 * </pre>
 */
@Timeout(60)
class VerbSequenceTest {
    private static final String SET_512 =
            "set-property --runtime " + SLICE + " MemoryMax=536870912 MemoryHigh=483183820 MemorySwapMax=536870912";
    private static final String SET_1024 =
            "set-property --runtime " + SLICE + " MemoryMax=1073741824 MemoryHigh=966367641 MemorySwapMax=1073741824";
    private static final String SHOW_CMD =
            "show -p InvocationID,ActiveState,SubState,Result,ExecMainStatus,ExecMainCode " + CMD;

    private VerbBench bench;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        bench = new VerbBench(directory);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private static <T> FutureTask<T> inBackground(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }

    @Test
    void nothingIsStartedOnABoxThatIsNotReady() {
        bench.ready = false;

        assertThatThrownBy(() -> bench.start.start(HOST, Role.RUN, MemoryTier.MIB_512, Deadline.NONE))
                .isInstanceOf(NotReadyException.class);
        assertThatThrownBy(() -> bench.seed.seed(HOST, MemoryTier.MIB_512, Deadline.NONE))
                .isInstanceOf(NotReadyException.class);
        assertThatThrownBy(() -> bench.cmd.start(HOST, MemoryTier.MIB_512, Deadline.NONE))
                .isInstanceOf(NotReadyException.class);
        assertThat(bench.systemd.calls()).isEmpty();
    }

    @Test
    void aStartAfterItsDeadlineAsksSystemdForNothing() {
        Deadline over = Deadline.at(BootClock.nanos());

        assertThatThrownBy(() -> bench.start.start(HOST, Role.RUN, MemoryTier.MIB_512, over))
                .isInstanceOf(ExpiredException.class);
        assertThatThrownBy(() -> bench.seed.seed(HOST, MemoryTier.MIB_512, over))
                .isInstanceOf(ExpiredException.class);
        assertThatThrownBy(() -> bench.cmd.start(HOST, MemoryTier.MIB_512, over))
                .isInstanceOf(ExpiredException.class);
        assertThat(bench.systemd.calls()).isEmpty();
    }

    @Test
    void aCommandWhoseDeadlinePassesWhileItIsPreparedIsNotStarted() {
        AtomicBoolean over = new AtomicBoolean();
        bench.systemd.shows(CMD, VerbBench.inactive()).when(SET_512, () -> over.set(true));

        assertThatThrownBy(() -> bench.cmd.start(HOST, MemoryTier.MIB_512, over::get))
                .isInstanceOf(ExpiredException.class);
        assertThat(bench.systemd.calls()).containsExactly(SHOW_CMD, SET_512);
    }

    @Test
    void aStopFindsTheCommandThatWasBeingHandedToSystemd() throws Exception {
        CountDownLatch queued = new CountDownLatch(1);
        bench.systemd.shows(CMD, VerbBench.inactive()).when("start --no-block " + CMD, queued::await);
        FutureTask<?> cmd = inBackground(() -> bench.cmd.start(HOST, MemoryTier.MIB_512, Deadline.NONE));
        Await.until("the start", () -> bench.systemd.count("start --no-block " + CMD) > 0);
        FutureTask<?> stop = new FutureTask<>(() -> {
            bench.stop.stop(CMD);
            return CMD;
        });
        Thread stopping = Thread.ofPlatform().start(stop);
        Await.until("the stop", () -> stopping.getState() == Thread.State.WAITING || stop.isDone());

        assertThat(bench.systemd.calls()).last().isEqualTo("start --no-block " + CMD);
        queued.countDown();

        stop.get();
        assertThatThrownBy(cmd::get).hasCauseInstanceOf(FailedStartException.class);
        assertThat(bench.systemd.count(STOP + CMD)).isPositive();
    }

    @Test
    void aStartWhoseBoxIsNoLongerReadyWhenItsTurnComesIsNotDone() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        bench.systemd.when("start " + SEED, ended::await);
        bench.systemd
                .shows(SEED, VerbBench.inactive())
                .shows(SEED, VerbBench.ended(INVOCATION, "active", "exited", "success", "0", "1"));
        FutureTask<?> seed = inBackground(() -> bench.seed.seed(HOST, MemoryTier.MIB_512, Deadline.NONE));
        Await.until("the seed", () -> bench.systemd.count("start " + SEED) > 0);
        FutureTask<?> run = inBackground(() -> bench.start.start(HOST, Role.RUN, MemoryTier.MIB_512, Deadline.NONE));
        Await.until("the start waits", () -> bench.starts.isPending(RUN));

        bench.ready = false;
        ended.countDown();

        seed.get();
        assertThatThrownBy(run::get).hasCauseInstanceOf(NotReadyException.class);
        assertThat(bench.systemd.count("start " + RUN)).isZero();
    }

    @Test
    void startSetsTheTierThenStartsThenShows() throws Exception {
        bench.systemd.shows(RUN, VerbBench.state(INVOCATION, "active", "running"));

        assertThat(bench.start
                        .start(HOST, Role.RUN, MemoryTier.MIB_512, Deadline.NONE)
                        .invocationId())
                .isEqualTo(INVOCATION);

        assertThat(bench.systemd.calls())
                .containsExactly(SET_512, "start " + RUN, "show -p InvocationID --value " + RUN);
    }

    @Test
    void theOtherTierHasItsOwnNumbers() throws Exception {
        UnitName sidecar = UnitName.of(Role.SIDECAR, HOST);
        bench.systemd.shows(sidecar, VerbBench.state(INVOCATION, "active", "running"));

        bench.start.start(HOST, Role.SIDECAR, MemoryTier.GIB_1, Deadline.NONE);

        assertThat(bench.systemd.calls())
                .containsExactly(SET_1024, "start " + sidecar, "show -p InvocationID --value " + sidecar);
    }

    @Test
    void aRefusedTierStartsNothing() {
        bench.systemd.refuse(SET_512, "Access denied");

        assertThatThrownBy(() -> bench.start.start(HOST, Role.RUN, MemoryTier.MIB_512, Deadline.NONE))
                .isInstanceOf(FailedStartException.class)
                .hasMessageContaining("Access denied");
        assertThat(bench.systemd.calls()).containsExactly(SET_512);
    }

    @Test
    void aStartThatSystemdDoesNotAnswerIsWithdrawn() {
        bench.systemd.shows(RUN, VerbBench.inactive());
        bench.systemd.refuse("start " + RUN, "no answer within 150 s");

        assertThatThrownBy(() -> bench.start.start(HOST, Role.RUN, MemoryTier.MIB_512, Deadline.NONE))
                .isInstanceOf(FailedStartException.class)
                .hasMessageContaining("no answer within 150 s");
        assertThat(bench.systemd.calls()).containsExactly(SET_512, "start " + RUN, LOOK_BEFORE_STOP + RUN, STOP + RUN);
    }

    @Test
    void aStartWhoseInvocationIsNotShownIsWithdrawn() {
        bench.systemd.shows(RUN, VerbBench.state(INVOCATION, "active", "exited"));
        bench.systemd.refuse("show -p InvocationID --value " + RUN, "no answer within 10 s");

        assertThatThrownBy(() -> bench.start.start(HOST, Role.RUN, MemoryTier.MIB_512, Deadline.NONE))
                .isInstanceOf(FailedStartException.class);
        assertThat(bench.systemd.calls()).endsWith(STOP + RUN);
    }

    @Test
    void aCommandIsStartedInTheBackgroundAndItsInvocationAwaited() throws Exception {
        bench.systemd
                .shows(CMD, VerbBench.inactive())
                .shows(CMD, VerbBench.inactive())
                .shows(CMD, VerbBench.state(INVOCATION, "activating", "start"));

        assertThat(bench.cmd.start(HOST, MemoryTier.MIB_512, Deadline.NONE).invocationId())
                .isEqualTo(INVOCATION);

        String invocation = "show -p InvocationID --value " + CMD;
        assertThat(bench.systemd.calls())
                .containsExactly(SHOW_CMD, SET_512, "start --no-block " + CMD, invocation, invocation);
    }

    @Test
    void aCommandWhoseUnitIsStillLoadedIsRefused() {
        for (String state : List.of("active", "failed", "activating", "deactivating")) {
            bench.systemd.showsNow(CMD.value(), VerbBench.state(INVOCATION, state, ""));
            assertThatThrownBy(() -> bench.cmd.start(HOST, MemoryTier.MIB_512, Deadline.NONE))
                    .isInstanceOf(StillLoadedException.class)
                    .hasMessageContaining(state);
        }
        assertThat(bench.systemd.calls()).containsOnly(SHOW_CMD);
    }

    @Test
    void aCommandThatGetsNoInvocationIsAnErrorThatNamesTheUnit() {
        bench.systemd.shows(CMD, VerbBench.inactive());

        assertThatThrownBy(() -> bench.cmd.start(HOST, MemoryTier.MIB_512, Deadline.NONE))
                .isInstanceOf(FailedStartException.class)
                .hasMessageContaining(CMD.value());
    }

    @Test
    void theInvocationOfTheLastCommandIsNotTakenForTheNext() {
        bench.systemd.shows(CMD, VerbBench.state(OTHER, "inactive", "dead"));

        assertThatThrownBy(() -> bench.cmd.start(HOST, MemoryTier.MIB_512, Deadline.NONE))
                .isInstanceOf(FailedStartException.class);
    }

    @Test
    void anEndedCommandIsDoneOnlyWithAnEmptyControlGroup() throws Exception {
        bench.systemd.shows(CMD, VerbBench.ended(INVOCATION, "active", "exited", "success", "0", "1"));
        bench.box.populate(CMD);
        assertThat(bench.cmd.poll(HOST, INVOCATION, Duration.ZERO)).isEqualTo(CmdAnswer.running(INVOCATION));

        bench.box.empty(CMD);
        assertThat(bench.cmd.poll(HOST, INVOCATION, Duration.ZERO))
                .isEqualTo(CmdAnswer.done(INVOCATION, "success", 0, MainCode.EXITED));
        assertThat(bench.systemd.calls()).containsExactly(SHOW_CMD, SHOW_CMD);
    }

    @Test
    void aKilledCommandIsDoneWithItsSignal() throws Exception {
        bench.systemd.shows(CMD, VerbBench.ended(INVOCATION, "failed", "failed", "signal", "9", "2"));

        assertThat(bench.cmd.poll(HOST, INVOCATION, Duration.ZERO))
                .isEqualTo(CmdAnswer.done(INVOCATION, "signal", 9, MainCode.KILLED));
    }

    @Test
    void aStartingCommandWithoutAProcessIsRunning() throws Exception {
        bench.systemd.shows(CMD, VerbBench.state(INVOCATION, "activating", "start"));

        assertThat(bench.cmd.poll(HOST, INVOCATION, Duration.ofMillis(30))).isEqualTo(CmdAnswer.running(INVOCATION));
    }

    @Test
    void anotherInvocationAndAnUnloadedUnitAreGone() throws Exception {
        bench.systemd.shows(CMD, VerbBench.state(OTHER, "activating", "start"));
        assertThat(bench.cmd.poll(HOST, INVOCATION, Duration.ofSeconds(20))).isEqualTo(CmdAnswer.gone(INVOCATION));

        bench.systemd.showsNow(CMD.value(), VerbBench.inactive());
        assertThat(bench.cmd.poll(HOST, INVOCATION, Duration.ofSeconds(20))).isEqualTo(CmdAnswer.gone(INVOCATION));
    }

    @Test
    void aLongPollAnswersWhenTheLastProcessHasEnded() throws Exception {
        bench.systemd.shows(CMD, VerbBench.state(INVOCATION, "activating", "start"));
        bench.box.populate(CMD);
        FutureTask<CmdAnswer> poll = inBackground(() -> bench.cmd.poll(HOST, INVOCATION, Duration.ofSeconds(25)));
        Await.until("a look", () -> bench.systemd.count(SHOW_CMD) > 0);

        bench.systemd.showsNow(CMD.value(), VerbBench.ended(INVOCATION, "failed", "failed", "exit-code", "3", "1"));
        bench.box.empty(CMD);

        assertThat(poll.get()).isEqualTo(CmdAnswer.done(INVOCATION, "exit-code", 3, MainCode.EXITED));
    }

    @Test
    void aStopWaitsNeitherForASeedNorForALongPoll() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        bench.systemd.when("start " + SEED, ended::await);
        bench.systemd
                .shows(SEED, VerbBench.inactive())
                .shows(SEED, VerbBench.ended(INVOCATION, "active", "exited", "success", "0", "1"));
        bench.systemd.shows(CMD, VerbBench.state(INVOCATION, "activating", "start"));
        bench.box.populate(CMD);
        FutureTask<?> seed = inBackground(() -> bench.seed.seed(HOST, MemoryTier.MIB_512, Deadline.NONE));
        FutureTask<?> poll = inBackground(() -> bench.cmd.poll(HOST, INVOCATION, Duration.ofSeconds(25)));
        Await.until(
                "both under way", () -> bench.systemd.count("start " + SEED) > 0 && bench.systemd.count(SHOW_CMD) > 0);

        bench.stopSequence.stop(RUN);

        assertThat(seed.isDone()).isFalse();
        assertThat(poll.isDone()).isFalse();
        ended.countDown();
        bench.box.empty(CMD);
        bench.systemd.showsNow(CMD.value(), VerbBench.inactive());
        seed.get();
        poll.get();
    }

    @Test
    void aStartThatWaitsForItsTurnDoesNotOutliveASweep() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        bench.systemd.when("start " + SEED, stopped::await);
        bench.systemd.when(STOP + SEED, stopped::countDown);
        bench.systemd.loaded(SEED, "activating");
        bench.systemd
                .shows(SEED, VerbBench.inactive())
                .shows(SEED, VerbBench.ended(INVOCATION, "failed", "failed", "signal", "15", "2"));
        FutureTask<?> seed = inBackground(() -> bench.seed.seed(HOST, MemoryTier.MIB_512, Deadline.NONE));
        Await.until("the seed", () -> bench.systemd.count("start " + SEED) > 0);
        FutureTask<?> run = inBackground(() -> bench.start.start(HOST, Role.RUN, MemoryTier.MIB_512, Deadline.NONE));
        Await.until("the start waits", () -> bench.starts.isPending(RUN));

        assertThat(bench.sweep.sweep().units()).containsExactly(SEED.value());

        assertThatThrownBy(run::get).hasCauseInstanceOf(FailedStartException.class);
        assertThatThrownBy(seed::get).hasCauseInstanceOf(FailedStartException.class);
        assertThat(bench.systemd.count("start " + RUN)).isZero();
    }

    @Test
    void aStopWithdrawsTheStartOfItsUnit() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        bench.systemd.when(SET_512, slow::await);
        bench.systemd.shows(RUN, VerbBench.inactive());
        FutureTask<?> run = inBackground(() -> bench.start.start(HOST, Role.RUN, MemoryTier.MIB_512, Deadline.NONE));
        Await.until("the start", () -> bench.systemd.count(SET_512) > 0);

        bench.stop.stop(RUN);
        bench.systemd.showsNow(RUN.value(), VerbBench.state(INVOCATION, "active", "running"));
        slow.countDown();

        assertThatThrownBy(run::get).hasCauseInstanceOf(FailedStartException.class);
        assertThat(bench.systemd.calls()).endsWith(STOP + RUN);
    }
}

package io.carlos.agent.launch.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.names.InvocationId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a launch, and what it leaves. */
@Timeout(60)
class UnitLauncherTest {
    @TempDir
    Path root;

    private UnitWorld world;
    private ScriptedControl control;

    @BeforeEach
    void makeWorld() throws IOException {
        world = new UnitWorld(root);
        control = world.control();
    }

    private static void settle(LaunchedRun run) throws InterruptedException {
        run.stop(Duration.ZERO);
    }

    @Test
    void refusalOfTheGateIsTheLaunchs() throws Exception {
        InstanceGate gate =
                (record, incarnation, command) -> new InstanceGate.Refused(LaunchOutcome.Reason.CLAIM, "not here");
        assertThat(world.launcher(gate).launch(world.request(), new RecordingSink()))
                .isEqualTo(new LaunchOutcome.Refused(LaunchOutcome.Reason.CLAIM, "not here"));
        assertThat(control.calls()).isEmpty();
    }

    @Test
    void instanceThatIsBeingStoppedInterruptsTheLaunch() throws Exception {
        InstanceGate gate = (record, incarnation, command) -> new InstanceGate.Stopped("the instance stopped");
        assertThat(world.launcher(gate).launch(world.request(), new RecordingSink()))
                .isEqualTo(new LaunchOutcome.Interrupted("the instance stopped"));
        assertThat(control.calls()).isEmpty();
    }

    @Test
    void instanceThatStopsDuringTheStartInterruptsTheLaunchAndTheUnitIsStopped() throws Exception {
        control.onStart(() -> {
            interrupt();
            return ScriptedControl.INVOCATION;
        });
        assertThat(world.launch()).isEqualTo(new LaunchOutcome.Interrupted("the instance stopped"));
        assertThat(control.calls()).containsExactly("start", "stop", "reset");
        world.assertNothingIsLeft();
    }

    private void interrupt() {
        world.gate().held().getFirst().interrupt("the instance stopped");
    }

    @Test
    void instanceThatStopsBeforeTheStartIsNotStartedBeside() throws Exception {
        InstanceGate gate = (record, incarnation, command) -> {
            InstanceGate.Admission admission = world.gate().admit(record, incarnation, command);
            command.interrupt("the instance stopped");
            return admission;
        };
        assertThat(world.launcher(gate).launch(world.request(), new RecordingSink()))
                .isEqualTo(new LaunchOutcome.Interrupted("the instance stopped"));
        assertThat(control.calls()).isEmpty();
        world.assertNothingIsLeft();
    }

    /** Of a start that was executed before it was answered as a failure. */
    private static LaunchedRun executed(LaunchOutcome outcome) {
        assertThat(outcome).isInstanceOf(LaunchOutcome.Started.class);
        return ((LaunchOutcome.Started) outcome).run();
    }

    @Test
    void commandThatRanUntilItsInstanceStoppedIsNotSaidToHaveNotStarted() throws Exception {
        control.onStart(() -> {
            interrupt();
            writeStatus(Cause.EXITED, 3);
            return ScriptedControl.INVOCATION;
        });
        CommandEnd end = executed(world.launch()).stop(Duration.ZERO);
        assertThat(end)
                .isEqualTo(new CommandEnd.Interrupted(
                        "the instance stopped",
                        "the command was stopped with it, unless it had ended before: it exited with 3"));
        world.assertNothingIsLeft();
    }

    private void writeStatus(Cause cause, int status) {
        try {
            world.writeStatus(cause, status);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MAY_RUN", "STOPPED", "NOTHING_RUNS"})
    void commandThatWasExecutedAlthoughItsStartFailedHasItsOwnEndAndIsNotStartedAgain(Outcome outcome)
            throws Exception {
        control.onStart(() -> {
            writeStatus(Cause.EXITED, 3);
            return ScriptedControl.<InvocationId>failing(outcome).run();
        });
        assertThat(executed(world.launch()).stop(Duration.ZERO)).isEqualTo(new CommandEnd.Exited(3, ""));
        assertThat(control.calls()).containsOnlyOnce("start");
        world.assertNothingIsLeft();
    }

    @Test
    void endOfAnEarlierCommandIsNotTakenForThatOfAFailedStart() throws Exception {
        world.writeStatus(Cause.EXITED, 0);
        control.onStart(ScriptedControl.failing(Outcome.MAY_RUN));
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        world.assertNothingIsLeft();
    }

    @Test
    void endOfTheLeftoverInTheWayIsNotTakenForThatOfTheStartAfterIt() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.STILL_LOADED));
        control.onStop(() -> {
            writeStatus(Cause.EXITED, 0);
            return null;
        });
        control.onStart(ScriptedControl.failing(Outcome.NOTHING_RUNS));
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        world.assertNothingIsLeft();
    }

    @Test
    void startThatMayHaveBeenExecutedIsNotTriedAgain() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.STOPPED));
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(control.calls()).containsOnlyOnce("start");
        world.assertNothingIsLeft();
    }

    @Test
    void startThatTheInstancesStopWithdrewIsInterrupted() throws Exception {
        control.onStart(() -> {
            interrupt();
            return ScriptedControl.<InvocationId>failing(Outcome.STOPPED).run();
        });
        assertThat(world.launch()).isEqualTo(new LaunchOutcome.Interrupted("the instance stopped"));
        world.assertNothingIsLeft();
    }

    @Test
    void leftoverOfAnEarlierCommandIsStoppedAndTheStartTriedOnceMore() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.STILL_LOADED));
        LaunchedRun run = world.start();
        assertThat(control.calls()).containsExactly("start", "stop", "reset", "start");
        settle(run);
    }

    @Test
    void leftoverIsResetUntilThatHolds() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.STILL_LOADED));
        control.onReset(ScriptedControl.failing(Outcome.MAY_RUN));
        settle(world.start());
        assertThat(control.calls()).startsWith("start", "stop", "reset", "stop", "reset", "start");
    }

    @Test
    void instanceThatStopsWhileTheLeftoverIsStoppedIsNotStartedBeside() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.STILL_LOADED));
        control.onStop(() -> {
            interrupt();
            return null;
        });
        assertThat(world.launch()).isEqualTo(new LaunchOutcome.Interrupted("the instance stopped"));
        assertThat(control.calls()).containsExactly("start", "stop", "reset");
        world.assertNothingIsLeft();
    }

    @Test
    void unitThatIsStillLoadedAfterItsStopFailsTheLaunch() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.STILL_LOADED));
        control.onStart(ScriptedControl.failing(Outcome.STILL_LOADED));
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(control.calls()).containsExactly("start", "stop", "reset", "start");
        world.assertNothingIsLeft();
    }

    @Test
    void startWithoutAnAnswerIsNeverRepeatedAndItsUnitStoppedUntilThatHolds() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.MAY_RUN));
        control.onStop(ScriptedControl.failing(Outcome.NOTHING_RUNS));
        control.onStop(ScriptedControl.failing(Outcome.MAY_RUN));
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(control.calls()).containsExactly("start", "stop", "stop", "stop", "reset");
        world.assertNothingIsLeft();
    }

    @ParameterizedTest
    @EnumSource(names = {"MAY_RUN", "STOPPED"})
    void startWithoutAnAnswerThatIsExecutedLateFindsNoLaunchFile(Outcome outcome) throws Exception {
        AtomicBoolean found = new AtomicBoolean(true);
        control.onStart(ScriptedControl.failing(outcome));
        control.onStop(() -> {
            found.set(Files.exists(world.launchFile()));
            return null;
        });
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(found).isFalse();
    }

    @Test
    void startThatBeganNothingFailsTheLaunch() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.NOTHING_RUNS));
        assertThat(world.launch()).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(control.calls()).containsExactly("start");
        world.assertNothingIsLeft();
    }

    @Test
    void boxThatIsNotReadyRefusesTheLaunch() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.NOT_READY));
        assertThat(world.launch())
                .isInstanceOfSatisfying(
                        LaunchOutcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(LaunchOutcome.Reason.WAKE));
        world.assertNothingIsLeft();
    }

    @Test
    void startThatCameTooLateIsTriedAgain() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.EXPIRED));
        control.onStart(ScriptedControl.failing(Outcome.EXPIRED));
        world.start();
        assertThat(control.calls()).containsExactly("start", "start", "start");
        assertThat(world.clock().nanoTime()).isPositive();
    }

    @Test
    void startThatCameDuringAnotherIsTriedAgainOnceThatIsStopped() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.BUSY));
        control.onStart(ScriptedControl.failing(Outcome.BUSY));
        world.start();
        assertThat(control.calls()).containsExactly("start", "stop", "reset", "start", "stop", "reset", "start");
        assertThat(world.clock().nanoTime()).isPositive();
    }

    @Test
    void startDuringAnotherThatExecutedTheCommandIsNotTriedAgain() throws Exception {
        control.onStart(() -> {
            writeStatus(Cause.EXITED, 0);
            return ScriptedControl.<InvocationId>failing(Outcome.BUSY).run();
        });
        world.start();
        assertThat(control.calls()).startsWith("start", "stop", "reset").containsOnlyOnce("start");
    }

    @Test
    void leftoverThatIsFoundAfterATryThatDidNothingIsStopped() throws Exception {
        control.onStart(ScriptedControl.failing(Outcome.EXPIRED));
        control.onStart(ScriptedControl.failing(Outcome.STILL_LOADED));
        world.start();
        assertThat(control.calls()).containsExactly("start", "start", "stop", "reset", "start");
    }

    @Test
    void startIsNotTriedAgainOnceItsInstanceWasStopped() throws Exception {
        control.onStart(() -> {
            interrupt();
            return ScriptedControl.<InvocationId>failing(Outcome.EXPIRED).run();
        });
        assertThat(world.launch()).isEqualTo(new LaunchOutcome.Interrupted("the instance stopped"));
        assertThat(control.calls()).containsExactly("start");
        world.assertNothingIsLeft();
    }

    @Test
    void interruptedLaunchStopsWhatItMayHaveStarted() {
        control.onStart(() -> {
            throw new InterruptedException("the agent stops");
        });
        assertThatThrownBy(world::launch).isInstanceOf(InterruptedException.class);
        assertThat(control.calls()).containsExactly("start", "stop", "reset");
        world.assertNothingIsLeft();
    }

    @Test
    void secondCommandOfAHostIsNotStartedBesideTheFirst() throws Exception {
        UnitLauncher launcher = world.launcher();
        LaunchOutcome first = launcher.launch(world.request(), new RecordingSink());
        assertThat(launcher.launch(world.request(), new RecordingSink())).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(control.calls()).containsExactly("start");

        world.writeStatus(Cause.EXITED, 0);
        settle(((LaunchOutcome.Started) first).run());
        assertThat(launcher.launch(world.request(), new RecordingSink()))
                .as("after the first")
                .isInstanceOf(LaunchOutcome.Started.class);
    }
}

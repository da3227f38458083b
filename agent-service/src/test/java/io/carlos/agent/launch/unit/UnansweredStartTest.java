package io.carlos.agent.launch.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.RecordingSink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What follows a start that nobody knows the end of. */
@Timeout(60)
class UnansweredStartTest {
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

    /** Of a launch that started its command. */
    private static LaunchedRun executed(LaunchOutcome outcome) {
        assertThat(outcome).isInstanceOf(LaunchOutcome.Started.class);
        return ((LaunchOutcome.Started) outcome).run();
    }

    private void launchWithoutAnAnswer(UnitLauncher launcher) throws InterruptedException {
        control.onStart(ScriptedControl.failing(Outcome.MAY_RUN));
        assertThat(launcher.launch(world.request(), new RecordingSink())).isInstanceOf(LaunchOutcome.Failed.class);
    }

    @Test
    void startAfterOneWithoutAnAnswerIsMadeOnceThatCannotBeginAndIsStopped() throws Exception {
        UnitLauncher launcher = world.launcher();
        launchWithoutAnAnswer(launcher);
        List<Duration> stops = new ArrayList<>();
        control.onStop(() -> {
            assertThat(world.launchFile()).doesNotExist();
            assertThat(world.gate().held())
                    .as("so that a stop of the instance waits for nobody")
                    .isEmpty();
            stops.add(Duration.ofNanos(world.clock().nanoTime()));
            return null;
        });

        LaunchedRun run = executed(launcher.launch(world.request(), new RecordingSink()));

        assertThat(control.calls()).containsExactly("start", "stop", "reset", "stop", "reset", "start");
        assertThat(stops).containsExactly(ControlChannel.START_WINDOW);
        settle(run);
    }

    @Test
    void startLongAfterOneWithoutAnAnswerDoesNotWait() throws Exception {
        UnitLauncher launcher = world.launcher();
        launchWithoutAnAnswer(launcher);
        world.clock().sleep(Duration.ofHours(1));
        long before = world.clock().nanoTime();

        LaunchedRun run = executed(launcher.launch(world.request(), new RecordingSink()));

        assertThat(control.calls()).containsExactly("start", "stop", "reset", "stop", "reset", "start");
        assertThat(world.clock().nanoTime()).isEqualTo(before);
        settle(run);
    }

    @Test
    void startWithoutAnAnswerIsWaitedForOnce() throws Exception {
        UnitLauncher launcher = world.launcher();
        launchWithoutAnAnswer(launcher);
        settle(executed(launcher.launch(world.request(), new RecordingSink())));
        int before = control.calls().size();

        LaunchedRun run = executed(launcher.launch(world.request(), new RecordingSink()));

        assertThat(control.calls().subList(before, control.calls().size())).containsExactly("start");
        settle(run);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"MAY_RUN", "STILL_LOADED", "BUSY", "EXPIRED"})
    void startAfterOneThatWasAnsweredDoesNotWait(Outcome outcome) throws Exception {
        UnitLauncher launcher = world.launcher();
        control.onStart(ScriptedControl.failing(outcome));
        launcher.launch(world.request(), new RecordingSink());
        int before = control.calls().size();

        LaunchedRun run = executed(launcher.launch(world.request(), new RecordingSink()));

        assertThat(control.calls().subList(before, control.calls().size())).containsExactly("start");
        assertThat(world.clock().nanoTime()).isZero();
        settle(run);
    }

    @Test
    void startAfterOneThatWasInterruptedWaitsToo() throws Exception {
        UnitLauncher launcher = world.launcher();
        control.onStart(() -> {
            throw new InterruptedException("the run is given up");
        });
        assertThatThrownBy(() -> launcher.launch(world.request(), new RecordingSink()))
                .isInstanceOf(InterruptedException.class);

        LaunchedRun run = executed(launcher.launch(world.request(), new RecordingSink()));

        assertThat(control.calls()).containsExactly("start", "stop", "reset", "stop", "reset", "start");
        assertThat(world.clock().nanoTime()).isEqualTo(ControlChannel.START_WINDOW.toNanos());
        settle(run);
    }

    @Test
    void launchThatIsInterruptedWhileItWaitsLeavesTheWaitToTheNext() throws Exception {
        UnitLauncher launcher = world.launcher();
        launchWithoutAnAnswer(launcher);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> launcher.launch(world.request(), new RecordingSink()))
                .isInstanceOf(InterruptedException.class);
        world.assertNothingIsLeft();

        LaunchedRun run = executed(launcher.launch(world.request(), new RecordingSink()));

        assertThat(control.calls()).containsExactly("start", "stop", "reset", "stop", "reset", "start");
        settle(run);
    }
}

package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.BOUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.instance.OperationOutcome.Done;
import io.carlos.agent.instance.OperationOutcome.Failed;
import io.carlos.agent.instance.OperationOutcome.NoInstance;
import io.carlos.agent.launch.unit.InstanceGate.Hold;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.time.SystemScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Instances that are stopped, that end by themselves, and what runs beside them. */
@Timeout(120)
class InstanceEndTest {
    @TempDir
    private Path root;

    private InstanceWorld world;

    @BeforeEach
    void openWorld() throws Exception {
        world = new InstanceWorld(root);
    }

    @AfterEach
    void closeWorld() throws Exception {
        world.close();
    }

    private OperationOutcome startSidecar() throws Exception {
        return world.instances.startSidecar(A).get(BOUND.toSeconds(), TimeUnit.SECONDS);
    }

    private void assertCrashed(String reason) throws Exception {
        world.awaitState(InstanceState.CRASHED);

        assertThat(world.rowA().reason()).isEqualTo(reason);
        assertThat(world.rowA().desired()).isEqualTo(Desired.RUN);
        assertThat(world.channel.calls()).contains("stop run a.example.com");
        world.assertNothingLeft();
    }

    @Test
    void a_stop_leaves_nothing_and_is_what_is_wanted() throws Exception {
        world.runningA();

        assertThat(world.stopA()).isInstanceOf(Done.class);

        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        assertThat(world.rowA().desired()).isEqualTo(Desired.STOPPED);
        assertThat(world.rowA().reason()).isEqualTo("an operator stopped it");
        world.assertNothingLeft();
    }

    @Test
    void what_a_tenant_has_left_in_its_run_directory_goes_with_the_stop() throws Exception {
        world.runningA();
        Path run = world.paths.instanceRun(InstanceWorld.ID);
        Files.writeString(Files.createDirectories(run.resolve("kept")).resolve("file"), "in memory");

        world.stopA();

        assertThat(run).isEmptyDirectory();
    }

    @Test
    void a_stop_is_repeated_until_it_holds() throws Exception {
        world.runningA();
        world.channel.failNext("stop", Outcome.MAY_RUN);
        world.channel.failNext("stop", Outcome.NOTHING_RUNS);

        assertThat(world.stopA()).isInstanceOf(Done.class);

        world.assertNothingLeft();
    }

    @Test
    void stopping_what_is_stopped_is_done() throws Exception {
        world.runningA();
        world.stopA();

        assertThat(world.stopA()).isInstanceOf(Done.class);
    }

    @Test
    void a_host_without_a_row_is_no_instance_to_stop() throws Exception {
        assertThat(world.stopA()).isEqualTo(new NoInstance(A));
    }

    @Test
    void a_stop_tells_the_command_beside_it_and_stops_its_unit() throws Exception {
        world.runningA();
        List<String> told = new CopyOnWriteArrayList<>();
        assertThat(world.instances.lane(A).turn().commands().hold(told::add)).isPresent();

        world.stopA();

        assertThat(told).containsExactly("an operator stopped it");
        assertThat(world.channel.calls()).contains("stop cmd a.example.com");
    }

    @Test
    void a_unit_is_forgotten_by_systemd_when_it_is_stopped() throws Exception {
        world.runningA();
        world.channel.newest().exit(3);
        world.awaitState(InstanceState.CRASHED);

        assertThat(world.channel.wasReset(A, Role.RUN)).isTrue();
    }

    @Test
    void a_stop_after_which_the_unit_cannot_be_forgotten_is_repeated() throws Exception {
        world.runningA();
        world.channel.failNext("reset", Outcome.MAY_RUN);

        assertThat(world.stopA()).isInstanceOf(Done.class);

        assertThat(world.channel.calls().stream().filter("stop sidecar a.example.com"::equals))
                .hasSize(2);
    }

    @Test
    void a_command_is_stopped_once_more_when_its_launcher_is_done_with_it() throws Exception {
        world.runningA();
        Hold hold = world.instances.lane(A).turn().commands().hold(reason -> {}).orElseThrow();
        CompletableFuture<OperationOutcome> stop = world.instances.stop(A, "an operator stopped it");
        world.await(() -> world.channel.running().isEmpty(), "the program's end");

        hold.release();

        assertThat(stop.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(Done.class);
        assertThat(world.channel.calls()).endsWith("stop run a.example.com", "stop cmd a.example.com");
    }

    @Test
    void a_launcher_that_is_never_done_keeps_no_instance_from_being_stopped() throws Exception {
        world.runningA();
        assertThat(world.instances.lane(A).turn().commands().hold(reason -> {})).isPresent();

        assertThat(world.stopA()).isInstanceOf(Done.class);
    }

    @Test
    void a_stop_that_cannot_be_written_down_stops_all_the_same_and_says_so() throws Exception {
        world.runningA();
        world.breakTable();

        OperationOutcome outcome = world.stopA();

        assertThat(outcome).isInstanceOf(Failed.class);
        assertThat(((Failed) outcome).reason()).contains("cannot be written down");
        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        assertThat(world.rowA().desired()).isEqualTo(Desired.STOPPED);
        world.assertNothingLeft();
    }

    @Test
    void a_wake_during_a_start_that_fails_is_not_lost() throws Exception {
        world.channel.program(Role.RUN, PlayedUnit::comeToRun);
        world.rows(InstanceWorld.record("a.example.com"));
        world.instances.begin();
        world.await(() -> !world.channel.running().isEmpty(), "the unit");
        world.instances.wake(A);
        world.channel.program(Role.RUN, unit -> {
            unit.comeToRun();
            unit.serve();
        });

        world.channel.newest().exit(3);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_restart_is_another_start() throws Exception {
        world.runningA();
        PlayedUnit before = world.channel.newest();

        OperationOutcome outcome = world.instances.restart(A).get(BOUND.toSeconds(), TimeUnit.SECONDS);

        assertThat(outcome).isInstanceOf(Done.class);
        assertThat(before.hasEnded()).isTrue();
        assertThat(world.channel.running()).hasSize(1);
        assertThat(world.rowA().invocation()).isEqualTo(world.channel.newest().invocation());
        assertThat(world.rowA().desired()).isEqualTo(Desired.RUN);
    }

    @Test
    void an_instance_that_is_stopped_while_it_is_restarted_stays_stopped() throws Exception {
        world.close();
        FairTurns turns = new FairTurns();
        world = new InstanceWorld(root.resolve("fair"), Duration.ofMillis(5), turns);
        world.runningA();
        CountDownLatch bothAsked = new CountDownLatch(1);
        CountDownLatch stopping = new CountDownLatch(1);
        world.channel.beforeStops(() -> {
            stopping.countDown();
            await(bothAsked);
        });
        CompletableFuture<OperationOutcome> restart = world.instances.restart(A);
        await(stopping);
        CompletableFuture<OperationOutcome> stop = world.instances.stop(A, "an operator stopped it");
        world.await(turns::isAwaited, "the stop, between the restart's stop and its start");

        bothAsked.countDown();

        restart.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        assertThat(stop.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(Done.class);
        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        assertThat(world.rowA().desired()).isEqualTo(Desired.STOPPED);
        assertThat(world.channel.calls()).containsOnlyOnce("start run a.example.com");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void what_a_tenant_has_left_in_its_run_directory_goes_when_its_program_exits() throws Exception {
        world.runningA();
        Files.writeString(world.run("left"), "in memory");

        world.channel.newest().exit(0);

        world.awaitState(InstanceState.CRASHED);
        assertThat(world.run("")).isEmptyDirectory();
    }

    @Test
    void what_is_in_the_run_directory_stays_for_the_command_that_goes_on() throws Exception {
        world.runningA();
        Files.writeString(world.run("needed"), "by the command");
        Hold command =
                world.instances.lane(A).turn().commands().hold(reason -> {}).orElseThrow();

        world.channel.newest().exit(0);

        world.awaitState(InstanceState.CRASHED);
        assertThat(world.run("needed")).exists();
        command.release();
    }

    @Test
    void a_program_that_exits_has_crashed_with_its_status() throws Exception {
        world.runningA();

        world.channel.newest().exit(3);

        assertCrashed("the program exited with 3");
    }

    @Test
    void a_program_that_a_signal_ended_has_crashed_with_the_signal() throws Exception {
        world.runningA();

        world.channel.newest().status(StatusFile.Cause.KILLED, 11);

        assertCrashed("the program was killed by signal 11 (SIGSEGV)");
    }

    @Test
    void an_end_is_seen_by_its_log_before_the_files_are_looked_for() throws Exception {
        world.close();
        world = new InstanceWorld(root.resolve("patient"), Duration.ofDays(1), new SystemScheduler());
        world.rows(InstanceWorld.record("b.example.com"));
        world.runningA();
        world.channel.newest().status(StatusFile.Cause.KILLED, 11);
        Host other = Host.of("b.example.com");
        world.await(() -> world.isAt(other, InstanceState.RUNNING), "the other");

        world.channel.running().stream()
                .filter(unit -> unit.host().equals(other))
                .findFirst()
                .orElseThrow()
                .vanish();

        world.await(() -> world.isAt(other, InstanceState.CRASHED), "its end");
        assertThat(world.rowA().state()).isEqualTo(InstanceState.RUNNING);
    }

    @Test
    void a_unit_without_memory_is_told_by_its_exit_record() throws Exception {
        world.runningA();
        PlayedUnit unit = world.channel.newest();
        unit.exitRecord("oom-kill", "killed", "KILL");
        unit.vanish();

        assertCrashed("the program was ended for it was out of memory");
    }

    @Test
    void a_unit_that_was_killed_from_outside_is_seen_by_the_end_of_its_log() throws Exception {
        world.runningA();

        world.channel.newest().vanish();

        assertCrashed("the program was killed from outside");
    }

    @Test
    void a_crash_is_not_started_again_by_itself_and_by_the_next_wake() throws Exception {
        world.runningA();
        world.channel.newest().exit(3);
        world.awaitState(InstanceState.CRASHED);
        assertThat(world.channel.calls()).containsOnlyOnce("start run a.example.com");

        world.instances.wake(A);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_wake_starts_nothing_that_was_stopped() throws Exception {
        world.runningA();
        world.stopA();

        world.instances.wake(A);
        world.awaitQuiet();

        assertThat(world.channel.calls()).containsOnlyOnce("start run a.example.com");
    }

    @Test
    void a_sidecar_runs_beside_its_instance_and_is_stopped_with_it() throws Exception {
        world.runningA();

        assertThat(startSidecar()).isInstanceOf(Done.class);
        assertThat(world.channel.newest().launch().argv()).endsWith("sidecar");
        assertThat(world.channel.running()).hasSize(2);

        world.stopA();
        world.assertNothingLeft();
    }

    @Test
    void a_sidecar_is_not_started_without_its_instance() throws Exception {
        world.stoppedA(InstanceWorld.record("a.example.com"));

        assertThat(startSidecar()).isInstanceOf(Failed.class);
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_sidecar_that_is_stopped_leaves_its_instance() throws Exception {
        world.runningA();
        startSidecar();

        world.instances.stopSidecar(A).get(BOUND.toSeconds(), TimeUnit.SECONDS);

        assertThat(world.channel.running()).extracting(PlayedUnit::role).containsExactly(Role.RUN);
        assertThat(world.rowA().state()).isEqualTo(InstanceState.RUNNING);
    }

    @Test
    void a_sidecar_that_ends_leaves_its_instance() throws Exception {
        world.runningA();
        startSidecar();

        world.channel.newest().exit(1);

        world.await(() -> world.channel.calls().contains("stop sidecar a.example.com"), "the sidecar's end");
        assertThat(world.rowA().state()).isEqualTo(InstanceState.RUNNING);
        assertThat(startSidecar()).isInstanceOf(Done.class);
    }

    @Test
    void a_sidecar_that_never_runs_is_a_failed_start_that_leaves_nothing_of_it() throws Exception {
        world.runningA();
        world.channel.program(Role.SIDECAR, PlayedUnit::vanish);

        OperationOutcome outcome = startSidecar();

        assertThat(outcome)
                .isEqualTo(new Failed(A, "its sidecar: the program was never started before it came to run"));
        assertThat(world.data("launch.sidecar.json")).doesNotExist();
        assertThat(world.rowA().state()).isEqualTo(InstanceState.RUNNING);
    }

    @Test
    void a_crash_ends_the_sidecar_too() throws Exception {
        world.runningA();
        PlayedUnit instance = world.channel.newest();
        startSidecar();

        instance.exit(3);

        assertCrashed("the program exited with 3");
    }
}

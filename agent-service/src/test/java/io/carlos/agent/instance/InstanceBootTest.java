package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.BOUND;
import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.records.Records;
import io.carlos.model.records.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an agent does with the instances that it finds in its table. */
@Timeout(120)
class InstanceBootTest {
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

    @Test
    void a_box_is_swept_and_what_should_run_is_started() throws Exception {
        world.rows(record("a.example.com"), record("b.example.com"));

        world.instances.sweep();
        world.instances.begin();

        world.await(() -> world.channel.running().size() == 2, "both");
        assertThat(world.channel.calls().getFirst()).isEqualTo("sweep");
    }

    @Test
    void what_an_operator_stopped_stays_stopped() throws Exception {
        world.runningA();
        world.stopA();
        world.restartAgent();

        world.instances.sweep();
        world.instances.begin();
        world.awaitQuiet();

        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        assertThat(world.channel.running()).isEmpty();
    }

    @Test
    void what_ran_under_an_earlier_agent_is_started_again_after_the_sweep() throws Exception {
        world.runningA();
        world.restartAgent();

        world.instances.sweep();
        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        world.instances.begin();

        world.awaitState(InstanceState.RUNNING);
        assertThat(world.channel.running()).hasSize(1);
    }

    @Test
    void what_crashed_under_an_earlier_agent_is_started_too() throws Exception {
        world.runningA();
        world.channel.newest().exit(3);
        world.awaitState(InstanceState.CRASHED);
        world.restartAgent();

        world.instances.sweep();
        world.instances.begin();

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void no_sidecar_is_started_before_the_box_is_cleared() throws Exception {
        world.runningA();
        world.restartAgent();

        assertThat(world.instances.startSidecar(A).get(BOUND.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(OperationOutcome.NotReady.class);
        assertThat(world.channel.calls()).doesNotContain("start sidecar a.example.com");
    }

    @Test
    void a_sweep_that_fails_says_so_and_can_be_tried_again() throws Exception {
        world.channel.failNext("sweep", Outcome.MAY_RUN);

        assertThatThrownBy(world.instances::sweep).isInstanceOf(IOException.class);

        world.instances.sweep();
    }

    @Test
    void a_sweep_removes_the_launch_files() throws Exception {
        world.runningA();
        assertThat(world.data("launch.run.json")).exists();
        world.restartAgent();

        world.instances.sweep();

        assertThat(world.data("launch.run.json")).doesNotExist();
    }

    @Test
    void a_sweep_removes_what_is_left_of_commands_and_listeners() throws Exception {
        world.runningA();
        world.restartAgent();
        Files.writeString(world.data("launch.cmd.json"), "{}");
        Path socket = Files.createFile(world.paths.logs().resolve("a.example.com.cmd.out.sock"));

        world.instances.sweep();

        assertThat(world.data("launch.cmd.json")).doesNotExist();
        assertThat(socket).doesNotExist();
    }

    @Test
    void all_that_runs_can_be_stopped_at_once_and_is_no_crash() throws Exception {
        world.runningA();
        assertThat(world.instances.startSidecar(A).get(BOUND.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(OperationOutcome.Done.class);
        List<String> told = new CopyOnWriteArrayList<>();
        assertThat(world.instances.lane(A).turn().commands().hold(told::add)).isPresent();

        world.instances.stopAll("an operator stopped all");
        world.awaitQuiet();

        assertThat(told).containsExactly("an operator stopped all");
        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        assertThat(world.rowA().reason()).isEqualTo("an operator stopped all");
        assertThat(world.rowA().desired()).isEqualTo(Desired.RUN);
        world.assertNothingLeft();
        world.instances.wake(A);
        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void an_end_that_is_seen_while_all_is_being_stopped_is_no_crash() throws Exception {
        world.runningA();
        world.instances.lane(A).turn().commands().stopping("an operator stopped all");

        world.channel.newest().vanish();

        world.awaitState(InstanceState.STOPPED);
        assertThat(world.rowA().reason()).isEqualTo("an operator stopped all");
        world.instances.lane(A).turn().commands().stopped();
    }

    @Test
    void a_start_during_which_all_is_stopped_is_not_tried_again() throws Exception {
        CompletableFuture<List<String>> stopped = new CompletableFuture<>();
        world.channel.program(Role.RUN, unit -> {
            stopped.completeAsync(() -> stopAll("an operator stopped all"), Thread::startVirtualThread);
            world.await(() -> world.instances.lane(A).turn().commands().isStopping(), "the stop");
        });
        world.channel.failNextThatRuns("start", Outcome.MAY_RUN);
        world.rows(record("a.example.com"));

        world.instances.begin();

        stopped.get(BOUND.toSeconds(), TimeUnit.SECONDS);
        world.awaitQuiet();
        assertThat(world.channel.calls()).containsOnlyOnce("start run a.example.com");
        world.assertNothingLeft();
    }

    private List<String> stopAll(String reason) {
        try {
            return world.instances.stopAll(reason);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void what_the_control_service_does_not_stop_at_once_is_stopped_one_by_one() throws Exception {
        world.runningA();
        world.channel.failNext("sweep", Outcome.MAY_RUN);

        assertThatThrownBy(() -> world.instances.stopAll("an operator stopped all"))
                .isInstanceOf(IOException.class);

        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        world.assertNothingLeft();
    }

    @Test
    void seeds_that_take_long_keep_no_other_host_from_starting() throws Exception {
        world.channel.program(Role.SEED, PlayedUnit::comeToRun);
        for (int i = 0; i < 5; i++) {
            world.rows(
                    Records.withSeed(record("h" + i + ".example.com"), new Seed(Seed.Kind.FRESH, Seed.State.PLACED)));
        }
        world.instances.begin();
        world.await(() -> world.channel.running().size() == 2, "as many seeds as there is room for");

        world.rows(record("a.example.com"));
        world.instances.wake(A);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_box_that_becomes_ready_starts_what_should_run() throws Exception {
        world.channel.probeFinds(ProbeReport.notReady("no report yet"));
        world.rows(record("a.example.com"));
        world.instances.begin();
        world.awaitState(InstanceState.FAILED);
        assertThat(world.rowA().reason()).contains("no report yet");
        assertThat(world.channel.calls()).isEmpty();

        world.channel.probeFinds(RecordingControlChannel.READY);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void more_hosts_than_start_at_a_time_all_start() throws Exception {
        for (int i = 0; i < 12; i++) {
            world.rows(record("h" + i + ".example.com"));
        }

        world.instances.begin();

        world.await(
                () -> world.table.rows().stream().allMatch(row -> row.state() == InstanceState.RUNNING), "all of them");
    }

    @Test
    void a_host_that_hangs_in_its_start_keeps_no_other_from_starting() throws Exception {
        world.channel.program(Role.RUN, unit -> {
            unit.comeToRun();
            if (!unit.host().equals(A)) {
                unit.serve();
            }
        });
        world.rows(record("a.example.com"), record("b.example.com"));

        world.instances.begin();

        world.await(
                () -> world.table.row(Host.of("b.example.com")).orElseThrow().state() == InstanceState.RUNNING,
                "the other");
        assertThat(world.rowA().state()).isNotEqualTo(InstanceState.RUNNING);
    }

    @Test
    void an_agent_that_ends_leaves_what_runs_to_systemd() throws Exception {
        world.runningA();

        world.instances.close();

        assertThat(world.channel.running()).hasSize(1);
        assertThat(world.channel.calls()).containsExactly("start run a.example.com");
    }
}

package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Path;
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
    void what_is_kept_goes_on_and_is_watched() throws Exception {
        world.runningA();
        PlayedUnit unit = world.channel.newest();
        world.restartAgent();

        world.instances.keep();
        world.instances.begin();
        assertThat(unit.hasEnded()).isFalse();
        assertThat(world.rowA().state()).isEqualTo(InstanceState.RUNNING);

        unit.exit(5);
        world.awaitState(InstanceState.CRASHED);
        assertThat(world.rowA().reason()).isEqualTo("the program exited with 5");
        assertThat(world.channel.calls()).doesNotContain("sweep");
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

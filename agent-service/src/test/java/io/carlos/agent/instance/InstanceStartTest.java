package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.BOUND;
import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.instance.OperationOutcome.Done;
import io.carlos.agent.instance.OperationOutcome.Failed;
import io.carlos.agent.instance.OperationOutcome.NoInstance;
import io.carlos.agent.instance.OperationOutcome.NotReady;
import io.carlos.agent.logs.LogLine;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.Role;
import io.carlos.model.records.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a start does, and that nothing is left of one that fails, wherever it fails. */
@Timeout(120)
class InstanceStartTest {
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

    private void assertFailed(String reason) throws Exception {
        OperationOutcome outcome = world.startA();

        assertThat(outcome).isInstanceOf(Failed.class);
        assertThat(((Failed) outcome).reason()).contains(reason);
        assertThat(world.rowA().state()).isEqualTo(InstanceState.FAILED);
        assertThat(world.rowA().reason()).contains(reason);
        world.assertNothingLeft();
    }

    @Test
    void an_instance_whose_socket_accepts_runs() throws Exception {
        world.runningA();

        assertThat(world.rowA().state()).isEqualTo(InstanceState.RUNNING);
        assertThat(world.rowA().desired()).isEqualTo(Desired.RUN);
        assertThat(world.rowA().invocation()).isEqualTo(world.channel.newest().invocation());
        assertThat(world.channel.calls()).containsExactly("start run a.example.com");
    }

    @Test
    void the_program_is_the_hosts_own_with_the_environment_of_the_platform() throws Exception {
        world.runningA();

        assertThat(world.channel.newest().launch().argv()).containsExactly(root + "/opt/carlos/live/a.example.com");
        assertThat(world.channel.newest().launch().env())
                .contains(
                        "CARLOS_HOST=a.example.com",
                        "CARLOS_ROLE=run",
                        "CARLOS_DATA_DIR=" + world.data(""),
                        "CARLOS_RUN_DIR=" + world.run(""),
                        "CARLOS_SOCKET=" + world.run("app.sock"));
    }

    @Test
    void what_an_earlier_start_left_in_the_run_directory_is_removed() throws Exception {
        Files.createDirectories(world.run("sub"));
        Files.writeString(world.run("app.sock"), "stale");
        Files.writeString(world.run("exit.run.1.json"), "stale");

        world.runningA();

        assertThat(world.run("sub")).doesNotExist();
        assertThat(world.run("exit.run.1.json")).doesNotExist();
    }

    @Test
    void beside_a_command_only_the_old_socket_is_removed() throws Exception {
        Files.createDirectories(world.run("sub"));
        Files.writeString(world.run("app.sock"), "stale");
        world.stoppedA(record("a.example.com"));
        assertThat(world.instances.lane(A).turn().commands().hold(reason -> {})).isPresent();

        assertThat(world.startA()).isInstanceOf(Done.class);

        assertThat(world.run("sub")).exists();
    }

    @Test
    void starting_what_runs_is_done_without_a_call() throws Exception {
        world.runningA();

        assertThat(world.startA()).isInstanceOf(Done.class);
        assertThat(world.channel.calls()).hasSize(1);
    }

    @Test
    void what_it_prints_is_in_its_log() throws Exception {
        world.runningA();
        world.channel.newest().print("hello\n");

        assertThat(world.logs.reader(A, Role.RUN, 1).orElseThrow().read(BOUND).lines())
                .extracting(LogLine::text)
                .containsExactly("hello");
    }

    @Test
    void a_host_without_a_row_is_no_instance() throws Exception {
        world.instances.begin();

        assertThat(world.startA()).isEqualTo(new NoInstance(A));
    }

    @Test
    void another_isolation_has_no_units() throws Exception {
        world.stoppedA(Records.of("a.example.com"));

        assertThat(world.startA()).isInstanceOf(Failed.class);
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_box_that_is_not_ready_starts_nothing_and_names_the_line_that_failed() throws Exception {
        world.channel.probeFinds(new ProbeReport(List.of(
                new ProbeLine("pid1", ProbeLine.Verdict.OK, "1"),
                new ProbeLine("imds-v4", ProbeLine.Verdict.FAIL, "sent"))));
        world.stoppedA(record("a.example.com"));

        OperationOutcome outcome = world.startA();

        assertThat(outcome).isEqualTo(new NotReady(A, "the box is not ready: imds-v4: fail: sent"));
        assertThat(world.channel.calls()).isEmpty();
        assertThat(world.rowA().reason()).contains("imds-v4");
        world.assertNothingLeft();
    }

    @Test
    void a_control_service_that_is_away_starts_nothing() throws Exception {
        world.channel.failNext("probe", Outcome.NOTHING_RUNS);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);

        world.awaitState(InstanceState.RUNNING);
        assertThat(world.channel.calls()).containsExactly("start run a.example.com");
    }

    @Test
    void nothing_starts_before_the_box_was_cleared() throws Exception {
        world.rows(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);
        assertThat(world.channel.wasProbed()).isFalse();
    }

    @Test
    void what_an_operator_starts_before_the_box_was_cleared_is_started_then() throws Exception {
        world.table.note(
                InstanceRow.created(record("a.example.com"), Records.CREATED).withDesired(Desired.STOPPED));
        assertThat(world.startA()).isInstanceOf(NotReady.class);

        world.instances.begin();

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void memory_that_is_no_tier() throws Exception {
        world.stoppedA(Records.withMemory(record("a.example.com"), 1));

        assertFailed("memory_max");
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_program_that_never_accepts_is_stopped() throws Exception {
        world.channel.program(Role.RUN, PlayedUnit::comeToRun);
        world.stoppedA(record("a.example.com"));

        assertFailed("within 2 s it was not seen that its socket took a connection");
    }

    @Test
    void a_program_that_exits_early_is_told_by_its_status() throws Exception {
        world.channel.program(Role.RUN, unit -> unit.exit(3));
        world.stoppedA(record("a.example.com"));

        assertFailed("the program exited with 3 before its socket took a connection");
    }

    @Test
    void a_program_that_is_not_there_is_told_so() throws Exception {
        world.channel.program(Role.RUN, unit -> {
            unit.status(StatusFile.Cause.REFUSED, 127);
            unit.vanish();
        });
        world.stoppedA(record("a.example.com"));

        assertFailed("the program is not there");
    }

    @Test
    void a_unit_that_ends_without_a_word_was_never_started() throws Exception {
        world.channel.program(Role.RUN, PlayedUnit::vanish);
        world.stoppedA(record("a.example.com"));

        assertFailed("the program was never started");
    }

    @Test
    void a_stop_makes_a_start_give_up() throws Exception {
        world.channel.program(Role.RUN, PlayedUnit::comeToRun);
        world.stoppedA(record("a.example.com"));
        var start = world.instances.start(A);
        world.await(() -> !world.channel.running().isEmpty(), "the unit");

        assertThat(world.stopA()).isInstanceOf(Done.class);

        assertThat(start.get(BOUND.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo(new Failed(A, "it was stopped while it started"));
        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        world.assertNothingLeft();
    }

    @Test
    void what_failed_can_be_started_again() throws Exception {
        world.channel.failNext("start", Outcome.NOTHING_RUNS);
        world.stoppedA(record("a.example.com"));
        world.startA();

        assertThat(world.startA()).isInstanceOf(Done.class);
        assertThat(world.rowA().reason()).isEmpty();
    }
}

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
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
    void the_directories_have_their_modes() throws Exception {
        world.runningA();

        assertThat(mode(world.data(""))).isEqualTo(0700);
        assertThat(mode(world.run(""))).isEqualTo(02750);
    }

    private static int mode(Path path) throws Exception {
        return (int) Files.getAttribute(path, "unix:mode") & 07777;
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
    void directories_that_cannot_be_made() throws Exception {
        world.stoppedA(record("a.example.com"));
        Files.writeString(world.paths.instanceDataStorage(InstanceWorld.ID), "in the way");

        assertFailed("its directories cannot be made");
    }

    @Test
    void a_listener_that_cannot_listen() throws Exception {
        world.stoppedA(record("a.example.com"));
        Path socket = world.paths.logs().resolve("a.example.com.run.sock");
        Files.createDirectories(socket.resolve("in the way"));

        assertThat(world.startA()).isInstanceOf(Failed.class);

        assertThat(world.rowA().reason()).contains(socket.toString());
        assertThat(world.channel.calls()).isEmpty();
        assertThat(world.data("launch.run.json")).doesNotExist();
    }

    @Test
    void a_launch_file_that_cannot_be_written() throws Exception {
        world.stoppedA(record("a.example.com"));
        Files.delete(world.paths.data().resolve("instances"));

        assertFailed("its launch file cannot be written");
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_launch_file_that_breaks_a_rule() throws Exception {
        world.stoppedA(withEnvironment("A\0", "x"));

        assertFailed("its launch file cannot be written");
        assertThat(world.channel.calls()).isEmpty();
    }

    private static InstanceRecord withEnvironment(String key, String value) {
        return Records.withEnvironment(record("a.example.com"), Map.of(key, value));
    }

    @Test
    void a_link_in_the_place_of_the_launch_file_is_replaced_and_not_followed() throws Exception {
        Path outside = Files.writeString(root.resolve("outside"), "mine");
        Files.createDirectories(world.data(""));
        Files.createSymbolicLink(world.data("launch.run.json"), outside);

        world.runningA();

        assertThat(outside).hasContent("mine");
        assertThat(Files.isSymbolicLink(world.data("launch.run.json"))).isFalse();
    }

    @Test
    void a_directory_in_the_place_of_the_launch_file_fails_the_start_and_stays() throws Exception {
        Files.createDirectories(world.data("launch.run.json/sub"));
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(Failed.class);

        assertThat(world.rowA().reason()).contains("its launch file cannot be written");
        assertThat(world.data("launch.run.json/sub")).exists();
        try (Stream<Path> files = Files.list(world.data(""))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("launch.run.json");
        }
    }

    @Test
    void beside_a_command_a_directory_in_the_place_of_the_socket_fails_the_start_and_stays() throws Exception {
        Files.createDirectories(world.run("app.sock/sub"));
        world.stoppedA(record("a.example.com"));
        assertThat(world.instances.lane(A).turn().commands().hold(reason -> {})).isPresent();

        assertThat(world.startA()).isInstanceOf(Failed.class);

        assertThat(world.run("app.sock/sub")).exists();
    }

    @Test
    void directories_that_a_tenant_has_closed_and_given_to_another_group_are_taken_back() throws Exception {
        Files.createDirectories(world.run(""));
        int group = (int) Files.getAttribute(world.run("").getParent(), "unix:gid");
        Files.setAttribute(world.run(""), "unix:gid", group + 1);
        Files.setPosixFilePermissions(world.run(""), Set.of());

        world.runningA();

        assertThat(mode(world.run(""))).isEqualTo(02750);
        assertThat(Files.getAttribute(world.run(""), "unix:gid")).isEqualTo(group);
    }

    @Test
    void memory_that_is_no_tier() throws Exception {
        world.stoppedA(Records.withMemory(record("a.example.com"), 1));

        assertFailed("memory_max");
        assertThat(world.channel.calls()).isEmpty();
    }

    @Test
    void a_start_of_which_nothing_runs() throws Exception {
        world.channel.failNext("start", Outcome.NOTHING_RUNS);
        world.stoppedA(record("a.example.com"));

        assertFailed("the control service did not start it");
        assertThat(world.channel.calls()).containsExactly("start run a.example.com");
    }

    @Test
    void a_start_that_may_run_is_stopped_until_it_holds() throws Exception {
        world.channel.failNextThatRuns("start", Outcome.MAY_RUN);
        world.channel.failNext("stop", Outcome.MAY_RUN);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);
        assertThat(world.channel.calls())
                .startsWith("start run a.example.com", "stop run a.example.com", "stop run a.example.com");
    }

    @Test
    void what_a_start_without_an_answer_was_to_run_is_removed_before_it_is_stopped() throws Exception {
        List<Boolean> wasThere = new CopyOnWriteArrayList<>();
        world.channel.beforeStops(() -> wasThere.add(Files.exists(world.data("launch.run.json"))));
        world.channel.failNextThatRuns("start", Outcome.MAY_RUN);
        world.stoppedA(record("a.example.com"));

        world.startA();

        assertThat(wasThere.getFirst()).isFalse();
    }

    @Test
    void a_start_whose_answer_was_lost_is_tried_again() throws Exception {
        world.channel.failNextThatRuns("start", Outcome.MAY_RUN);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_start_that_finds_no_control_service_is_tried_again() throws Exception {
        world.channel.failToReach("start");
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_start_beside_another_of_the_same_role_ends_both() throws Exception {
        world.channel.failNext("start", Outcome.BUSY);
        world.stoppedA(record("a.example.com"));

        assertFailed("the control service did not start it");
        assertThat(world.channel.calls()).containsExactly("start run a.example.com", "stop run a.example.com");
    }

    @Test
    void a_box_that_is_not_ready_any_more_is_told_from_a_failure() throws Exception {
        world.channel.failNext("start", Outcome.NOT_READY);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_start_that_the_control_service_came_to_too_late_is_tried_again() throws Exception {
        world.channel.failNext("start", Outcome.EXPIRED);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);
        assertThat(world.channel.calls())
                .startsWith("start run a.example.com")
                .doesNotContain("stop run a.example.com");

        world.awaitState(InstanceState.RUNNING);
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

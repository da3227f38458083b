package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.StoredRuns;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a command that ran came to its end, and what its result says. */
class RunExecutionEndTest {
    private static final Duration GRACE = RunsSettings.DEFAULTS.stopGrace();

    private final WorkerWorld world = new WorkerWorld();
    private final Instant start = world.runs().now();

    @Test
    void the_command_is_launched_as_it_was_asked_for() throws Exception {
        world.play();

        LaunchRequest request = world.launcher().requests().getFirst();
        assertThat(request.argv()).containsExactly("import", "rows");
        assertThat(request.id()).isEqualTo(StoredRuns.ID);
        assertThat(request.host()).isEqualTo(world.runs().ref().host());
        assertThat(request.dataDirectory()).hasToString("/data/instances/a.example.com");
        assertThat(request.runDirectory()).hasToString("/data/instances/a.example.com/.carlos-run/" + StoredRuns.ID);
    }

    @Test
    void the_pick_names_box_boot_and_a_deadline_of_timeout_and_allowance() throws Exception {
        ActiveRun[] picked = new ActiveRun[1];
        world.launcher().script(command -> picked[0] = world.runs().run());

        world.play();

        assertThat(picked[0].box()).isEqualTo(StoredRuns.BOX);
        assertThat(picked[0].bootId()).isEqualTo(StoredRuns.BOOT);
        assertThat(picked[0].attempt()).matches("[0-9a-f]{32}");
        assertThat(picked[0].deadline())
                .isEqualTo(start.plus(WorkerWorld.TIMEOUT).plus(Duration.ofMinutes(5)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255})
    void an_exit_status_is_reported(int status) throws Exception {
        world.launcher().script(command -> command.endsBy(new CommandEnd.Exited(status, "")));

        RunResult result = world.play();

        assertThat(result)
                .isEqualTo(
                        new RunResult(1, status, "", start, start, 0, false, false, false, "", "", "", StoredRuns.BOX));
    }

    @Test
    void a_signal_is_reported_with_exit_0() throws Exception {
        world.launcher().script(command -> command.endsBy(new CommandEnd.Killed(9, "")));

        RunResult result = world.play();

        assertThat(result.exit()).isZero();
        assertThat(result.signal()).isEqualTo("9");
    }

    @Test
    void a_command_that_the_platform_ended_is_interrupted_for_its_reason() throws Exception {
        world.launcher()
                .script(command -> command.endsBy(new CommandEnd.Interrupted("the instance stopped", "more of it")));

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("the instance stopped");
        assertThat(result.detail()).isEqualTo("more of it");
        assertThat(result.exit()).isZero();
    }

    @Test
    void a_lost_command_is_interrupted() throws Exception {
        world.launcher().script(command -> command.endsBy(new CommandEnd.Lost("the unit is gone")));

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("the command was lost");
        assertThat(result.detail()).isEqualTo("the unit is gone");
    }

    @Test
    void what_holds_for_every_command_of_the_backend_is_the_detail() throws Exception {
        world.launcher().setStandingNote("no isolation");

        assertThat(world.play().detail()).isEqualTo("no isolation");
    }

    @Test
    void what_holds_for_every_command_comes_before_what_is_noted_of_this_one() throws Exception {
        world.launcher().setStandingNote("no isolation");
        world.launcher().script(command -> command.endsBy(new CommandEnd.Lost("the unit is gone")));

        assertThat(world.play().detail()).isEqualTo("no isolation; the unit is gone");
    }

    @Test
    void what_the_backend_notes_is_the_detail() throws Exception {
        world.launcher()
                .script(command -> command.endsBy(new CommandEnd.Exited(0, "background processes were stopped")));

        assertThat(world.play().detail()).isEqualTo("background processes were stopped");
    }

    @Test
    void a_command_that_ended_by_itself_is_stopped_too_so_that_nothing_of_it_stays() throws Exception {
        world.play();

        assertThat(world.launcher().command().stops()).containsExactly(GRACE);
    }

    @Test
    void start_and_end_are_those_of_the_command() throws Exception {
        world.launcher().script(command -> command.sleep(Duration.ofSeconds(90)));

        RunResult result = world.play();

        assertThat(result.started()).isEqualTo(start);
        assertThat(result.ended()).isEqualTo(start.plusSeconds(90));
    }

    @Test
    void a_command_past_its_timeout_is_stopped_then_and_its_own_end_reported() throws Exception {
        world.launcher().script(command -> {
            command.endsWhenStoppedBy(new CommandEnd.Exited(143, ""));
            command.hang();
        });

        RunResult result = world.play();

        assertThat(result.timedOut()).isTrue();
        assertThat(result.cancelled()).isFalse();
        assertThat(result.exit()).isEqualTo(143);
        assertThat(result.ended()).isEqualTo(start.plus(WorkerWorld.TIMEOUT));
        assertThat(world.launcher().command().stops()).containsExactly(GRACE);
    }

    @Test
    void a_forwarded_cancel_stops_the_command_at_once_and_its_own_end_is_reported() throws Exception {
        world.launcher().script(ScriptedCommand::hang);
        world.after(Duration.ofSeconds(5), () -> {
            world.runs().cancel();
            world.see();
        });

        RunResult result = world.play();

        assertThat(result.cancelled()).isTrue();
        assertThat(result.timedOut()).isFalse();
        assertThat(result.signal()).isEqualTo("15");
        assertThat(result.ended()).isEqualTo(start.plusSeconds(5));
    }

    @Test
    void a_cancel_that_nobody_forwards_is_seen_by_the_next_look_at_the_record() throws Exception {
        world.launcher().script(ScriptedCommand::hang);
        world.after(Duration.ofSeconds(31), world.runs()::cancel);

        RunResult result = world.play();

        assertThat(result.cancelled()).isTrue();
        assertThat(result.ended()).isEqualTo(start.plusSeconds(60));
    }

    @Test
    void a_look_at_the_record_that_fails_ends_nothing() throws Exception {
        world.launcher().script(command -> {
            world.runs().store().failNext(Call.GET, key -> key.startsWith("records/"), Fault.UNAVAILABLE);
            command.sleep(Duration.ofSeconds(70));
        });

        RunResult result = world.play();

        assertThat(result.interrupted()).isEmpty();
        assertThat(result.ended()).isEqualTo(start.plusSeconds(70));
        assertThat(world.runs().store().outstanding()).isZero();
    }

    @Test
    void an_agent_that_stops_stops_the_command_and_keeps_its_output() throws Exception {
        world.launcher().script(command -> {
            command.print(OutputChannel.STDOUT, "so far");
            command.hang();
        });
        boolean[] ended = new boolean[1];
        world.after(Duration.ofMillis(500), () -> ended[0] = world.worker().stop(Duration.ofSeconds(30)));

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("the box's agent stopped");
        assertThat(result.signal()).isEqualTo("15");
        assertThat(result.lastSeq()).isEqualTo(1);
        assertThat(world.chunk("0000000001-o")).isEqualTo("so far");
        assertThat(ended[0]).isTrue();
    }

    @Test
    void the_first_of_two_reasons_to_stop_is_reported() throws Exception {
        world.launcher().script(command -> {
            command.failStops(1);
            command.hang();
        });
        world.after(Duration.ofSeconds(5), () -> {
            world.runs().cancel();
            world.see();
            world.worker().stop(Duration.ofSeconds(30));
        });

        RunResult result = world.play();

        assertThat(result.cancelled()).isTrue();
        assertThat(result.interrupted()).isEmpty();
    }

    @Test
    void a_watch_that_fails_is_begun_again() throws Exception {
        world.launcher().script(command -> {
            command.failWaits(3);
            command.endsBy(new CommandEnd.Exited(4, ""));
            command.sleep(Duration.ofMinutes(2));
        });

        RunResult result = world.play();

        assertThat(result.exit()).isEqualTo(4);
        assertThat(result.ended()).isEqualTo(start.plusSeconds(120));
    }

    @Test
    void stops_that_fail_are_tried_again_until_one_holds() throws Exception {
        world.launcher().script(command -> {
            command.failStops(3);
            command.endsBy(new CommandEnd.Exited(4, ""));
        });

        RunResult result = world.play();

        assertThat(result.exit()).isEqualTo(4);
        assertThat(world.launcher().command().stops()).isEqualTo(List.of(GRACE, GRACE, GRACE, GRACE));
        assertThat(world.runs().run().state()).isEqualTo(State.DONE);
    }
}

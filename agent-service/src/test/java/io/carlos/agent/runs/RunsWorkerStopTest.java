package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.StoredRuns;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A worker that picks no more, and one that stops. */
class RunsWorkerStopTest {
    private static final Duration BOUND = Duration.ofSeconds(45);

    private final WorkerWorld world = new WorkerWorld();
    private final StoredRuns runs = world.runs();
    private final Instant start = runs.now();

    @Test
    void a_draining_worker_picks_nothing() throws Exception {
        world.queued();
        world.worker().drain();

        world.pass();

        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
        assertThat(world.worker().executing()).isEmpty();
    }

    @Test
    void a_resumed_worker_picks_what_is_queued() throws Exception {
        world.queued();
        world.worker().drain();
        world.pass();
        world.worker().resume();

        world.pass();

        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void what_executes_when_the_drain_begins_goes_on_to_its_own_end() throws Exception {
        world.launcher().script(command -> command.sleep(Duration.ofMinutes(5)));
        world.after(Duration.ofMinutes(1), world.worker()::drain);

        assertThat(world.play().ended()).isEqualTo(start.plus(Duration.ofMinutes(5)));

        assertThat(world.result().interrupted()).isEmpty();
    }

    @Test
    void a_draining_worker_still_forwards_a_cancel() throws Exception {
        world.launcher().script(ScriptedCommand::hang);
        world.after(Duration.ofSeconds(1), () -> {
            world.worker().drain();
            runs.cancel();
            world.see();
        });

        assertThat(world.play().ended()).isEqualTo(start.plusSeconds(1));
    }

    @Test
    void an_idle_worker_stops_at_once() throws Exception {
        assertThat(stop()).isTrue();

        assertThat(runs.now()).isEqualTo(start);
    }

    @Test
    void a_stopped_worker_picks_and_closes_nothing() throws Exception {
        world.queued();
        stop();

        world.pass();
        assertThat(runs.run().state()).isEqualTo(State.QUEUED);

        runs.pick(StoredRuns.BOX, "boot-0", WorkerWorld.TIMEOUT);
        world.pass();
        assertThat(runs.run().state()).isEqualTo(State.PICKED);
    }

    @Test
    void a_stop_returns_when_the_record_of_what_executed_says_done() throws Exception {
        world.launcher().script(ScriptedCommand::hang);
        State[] seen = new State[1];
        world.after(Duration.ofSeconds(5), () -> {
            assertThat(world.worker().stop(BOUND)).isTrue();
            seen[0] = runs.run().state();
        });

        world.play();

        assertThat(seen[0]).isEqualTo(State.DONE);
    }

    @Test
    void a_stop_gives_up_after_its_bound_and_leaves_the_run_to_the_next_boot() throws Exception {
        world.launcher().plan((request, output) -> {
            world.scheduler().sleep(Duration.ofHours(5));
            throw new AssertionError("not interrupted");
        });
        world.queued();
        boolean[] ended = {true};
        Instant[] returned = new Instant[1];
        world.after(Duration.ofSeconds(5), () -> {
            ended[0] = world.worker().stop(BOUND);
            returned[0] = runs.now();
        });

        world.pass();

        assertThat(ended[0]).isFalse();
        assertThat(returned[0]).isEqualTo(start.plusSeconds(50));
        assertThat(runs.run().state()).isEqualTo(State.PICKED);
        assertThat(runs.result()).isEmpty();
    }

    @Test
    void a_run_given_up_by_a_stop_ends_its_command_and_its_tasks() throws Exception {
        world.launcher().script(command -> {
            command.failStops(1000);
            command.hang();
        });
        world.queued();
        world.after(
                Duration.ofSeconds(5),
                () -> assertThat(world.worker().stop(BOUND)).isFalse());

        world.pass();

        assertThat(world.launcher().command().stops()).last().isEqualTo(Duration.ZERO);
        assertThat(world.worker().executing()).isEmpty();
        assertThat(world.directories().present()).isEmpty();
    }

    @Test
    void a_run_given_up_while_its_output_waits_for_the_store_ends_with_the_stop() throws Exception {
        world.launcher().script(command -> {
            runs.store().failAtRandom(1, 1.0, Fault.UNAVAILABLE);
            command.print(OutputChannel.STDOUT, "x".repeat(1024 * 1024));
        });
        world.queued();
        world.after(
                Duration.ofSeconds(5),
                () -> assertThat(world.worker().stop(BOUND)).isFalse());

        runs.process().fork("pass", world::see);
        runs.process().run(Duration.ofSeconds(51));

        assertThat(world.worker().executing()).isEmpty();
    }

    @Test
    void a_stop_waits_for_a_closing_under_way() throws Exception {
        world.queued();
        runs.pick(StoredRuns.BOX, "boot-0", WorkerWorld.TIMEOUT);
        runs.store()
                .beforeNext(
                        Call.PUT, key -> true, () -> runs.process().simulation().pause(Duration.ofSeconds(20)));
        State[] seen = new State[1];
        world.after(Duration.ofSeconds(5), () -> {
            assertThat(world.worker().stop(BOUND)).isTrue();
            seen[0] = runs.run().state();
        });

        world.pass();

        assertThat(seen[0]).isEqualTo(State.DONE);
    }

    private boolean stop() throws Exception {
        return runs.process().call(() -> world.worker().stop(BOUND));
    }
}

package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.StoredRuns;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.StoreUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever is tried again before the launch ends when somebody stops the run, and when its time is over. */
class RunExecutionStopTest {
    private static final Duration BOUND = Duration.ofSeconds(45);

    private final WorkerWorld world = new WorkerWorld();
    private final StoredRuns runs = world.runs();
    private final Instant start = runs.now();
    private boolean endedInTime;

    @Test
    void a_cancel_ends_a_staging_that_the_disk_fails() throws Exception {
        failStaging();
        world.after(Duration.ofSeconds(10), () -> {
            runs.cancel();
            world.see();
        });

        RunResult result = world.play();

        assertThat(result.cancelled()).isTrue();
        assertThat(result.interrupted()).isEmpty();
        assertThat(result.ended()).isEqualTo(start.plusSeconds(10));
        assertThat(world.launcher().requests()).isEmpty();
        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void an_agent_that_stops_ends_a_staging_that_the_disk_fails() throws Exception {
        failStaging();
        stopAfter(Duration.ofSeconds(10));

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("the box's agent stopped");
        assertThat(endedInTime).isTrue();
    }

    @Test
    void a_staging_that_the_disk_fails_ends_with_the_runs_timeout() throws Exception {
        failStaging();

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("start failed");
        assertThat(result.detail()).isEqualTo("it had not started in time");
        assertThat(result.ended())
                .isBetween(
                        start.plus(WorkerWorld.TIMEOUT),
                        start.plus(WorkerWorld.TIMEOUT).plus(Backoff.MAX));
        assertThat(world.launcher().requests()).isEmpty();
    }

    @Test
    void a_launcher_that_took_its_time_hears_that_the_run_was_cancelled() throws Exception {
        List<Boolean> wanted = new ArrayList<>();
        world.launcher().plan((request, output) -> {
            wanted.add(request.wanted().getAsBoolean());
            runs.cancel();
            world.see();
            world.scheduler().sleep(Duration.ofSeconds(10));
            wanted.add(request.wanted().getAsBoolean());
            return new LaunchOutcome.Unwanted();
        });

        RunResult result = world.play();

        assertThat(wanted).containsExactly(true, false);
        assertThat(result.cancelled()).isTrue();
        assertThat(result.started()).isNull();
    }

    @Test
    void a_launcher_that_took_all_of_a_runs_time_hears_that_it_is_over() throws Exception {
        List<Boolean> wanted = new ArrayList<>();
        world.launcher().plan((request, output) -> {
            world.scheduler().sleep(WorkerWorld.TIMEOUT.plus(Duration.ofMinutes(5)));
            wanted.add(request.wanted().getAsBoolean());
            return new LaunchOutcome.Unwanted();
        });

        RunResult result = world.play();

        assertThat(wanted).containsExactly(false);
        assertThat(result.interrupted()).isEqualTo("start failed");
    }

    @Test
    void inputs_that_cannot_be_fetched_end_the_run_with_its_timeout() throws Exception {
        world.directories().whileStaging(() -> {
            throw new StoreUnavailableException("an input is not reached", null);
        });

        assertThat(world.play().interrupted()).isEqualTo("start failed");
    }

    @Test
    void an_agent_that_stops_while_the_request_cannot_be_read_leaves_the_run_queued() throws Exception {
        runs.store().failAtRandom(1, 1.0, Fault.UNAVAILABLE);
        stopAfter(Duration.ofSeconds(10));

        world.queued().pass();

        assertThat(endedInTime).isTrue();
        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
    }

    @Test
    void an_agent_that_stops_when_a_pick_was_refused_by_the_store_leaves_the_run_queued() throws Exception {
        runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.UNAVAILABLE);
        stopAfter(Duration.ofMillis(10));

        world.queued().pass();

        assertThat(endedInTime).isTrue();
        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
        assertThat(world.launcher().requests()).isEmpty();
    }

    @Test
    void an_agent_that_stops_when_the_answer_of_a_pick_was_lost_asks_until_it_knows_and_ends_the_run()
            throws Exception {
        runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.AMBIGUOUS_DONE);
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {});
        for (int i = 0; i < 5; i++) {
            runs.store().failNext(Call.GET, key -> key.startsWith("records/"), Fault.UNAVAILABLE);
        }
        stopAfter(Duration.ofMillis(10));

        RunResult result = world.play();

        assertThat(endedInTime).isTrue();
        assertThat(result.interrupted()).isEqualTo("the box's agent stopped");
        assertThat(world.launcher().requests()).isEmpty();
    }

    private void failStaging() {
        world.directories().whileStaging(() -> {
            throw new IOException("the disk is full");
        });
    }

    private void stopAfter(Duration delay) {
        world.after(delay, () -> endedInTime = world.worker().stop(BOUND));
    }
}

package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.StoredRuns;
import io.carlos.store.FaultyObjectStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A store that is away for longer than anybody waits for a box: it delays the end, and changes nothing else. */
class RunExecutionOutageTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final WorkerWorld world = new WorkerWorld();
    private final StoredRuns runs = world.runs();

    @Test
    void an_exit_and_output_that_the_store_was_away_for_are_stored_when_it_is_back() throws Exception {
        outage(Duration.ofMinutes(15));
        world.launcher().script(command -> {
            command.endsBy(new CommandEnd.Exited(7, ""));
            takeStoreAway();
            command.print(OutputChannel.STDOUT, "all rows imported");
        });

        RunResult result = play();

        assertThat(result.exit()).isEqualTo(7);
        assertThat(result.interrupted()).isEmpty();
        assertThat(result.lastSeq()).isEqualTo(1);
        assertThat(world.chunk("0000000001-o")).isEqualTo("all rows imported");
        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void a_command_that_waits_to_write_is_stopped_at_its_timeout_and_what_it_wrote_is_kept() throws Exception {
        outage(Duration.ofHours(3));
        int[] printed = new int[1];
        world.launcher().script(command -> {
            takeStoreAway();
            while (true) {
                command.print(OutputChannel.STDOUT, "x".repeat(1024));
                printed[0]++;
                command.sleep(Duration.ofSeconds(10));
            }
        });

        RunResult result = play();

        assertThat(result.timedOut()).isTrue();
        assertThat(result.lastSeq()).isEqualTo(2);
        assertThat(world.chunk("0000000001-o") + world.chunk("0000000002-o")).hasSize(1024 * printed[0]);
    }

    @Test
    void a_run_that_was_taken_during_the_outage_is_given_up_and_nothing_more_of_it_is_written() throws Exception {
        outage(Duration.ofMinutes(15));
        world.launcher().script(command -> {
            takeStoreAway();
            command.print(OutputChannel.STDOUT, "x".repeat(1024 * 1024)); // more than may wait
        });
        world.after(Duration.ofMinutes(14), this::closeOutPastTheFaults);

        RunResult result = play();

        assertThat(result.interrupted()).isEqualTo("the box went away");
        assertThat(result.lastSeq()).isZero();
        assertThat(world.journal()).containsExactly("picked", "stage", "remove");
        assertThat(world.worker().executing()).isEmpty();
    }

    /** For others the store is back a little earlier. */
    private void closeOutPastTheFaults() throws InterruptedException {
        RecordStore behind = new RecordStore(runs.objects(), world.scheduler(), new Random(4));
        new RunCloser(runs.objects(), behind, world.scheduler()).closeOut(runs.ref(), runs.run(), "the box went away");
    }

    private RunResult play() throws Exception {
        runs.queue(List.of("import"), TIMEOUT);
        world.pass();
        return world.result();
    }

    private void takeStoreAway() {
        runs.store().failAtRandom(1, 1.0, Fault.UNAVAILABLE);
    }

    private void outage(Duration length) {
        world.after(length, () -> runs.store().failAtRandom(1, 0.0, Fault.UNAVAILABLE));
    }
}

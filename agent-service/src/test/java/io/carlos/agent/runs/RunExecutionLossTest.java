package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.runs.StoredRuns;
import io.carlos.store.FaultyObjectStore.Call;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs that are somebody else's by now: their command is stopped and nothing more is written. */
class RunExecutionLossTest {
    private static final Duration GRACE = RunsSettings.DEFAULTS.stopGrace();

    private final WorkerWorld world = new WorkerWorld();

    @Test
    void a_record_that_is_taken_away_stops_the_command_and_nothing_more_is_written() throws Exception {
        world.launcher().script(command -> {
            command.sleep(Duration.ofSeconds(29).plusMillis(500));
            command.print(OutputChannel.STDOUT, "too late");
            command.hang();
        });
        world.after(Duration.ofSeconds(5), this::takeAway);

        world.queued().pass();

        assertThat(world.launcher().command().stops()).containsExactly(GRACE);
        assertThat(world.runs().result()).isEmpty();
        assertThat(world.journal()).containsExactly("picked", "stage", "remove");
    }

    @Test
    void a_command_that_still_prints_while_it_is_stopped_has_nothing_of_it_stored() throws Exception {
        world.launcher().script(command -> {
            for (int i = 0; i < 40; i++) {
                world.runs().process().simulation().pause(Duration.ofSeconds(1)); // no signal ends it
                command.print(OutputChannel.STDOUT, "x");
            }
        });
        // The look at the record is after thirty seconds.
        world.after(Duration.ofMillis(29_500), () -> {
            takeAway();
            world.journal().add("taken away");
        });

        world.queued().pass();

        assertThat(world.journal()).endsWith("taken away", "remove");
    }

    @Test
    void a_command_that_ends_just_when_its_record_is_seen_taken_away_gets_no_result_either() throws Exception {
        world.launcher().script(command -> {
            // The look at the record takes two seconds, and the command ends in the first of them.
            world.runs().store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {
                world.runs().process().simulation().pause(Duration.ofSeconds(2));
                takeAway();
            });
            command.sleep(Duration.ofSeconds(31));
        });

        world.queued().pass();

        assertThat(world.runs().result()).isEmpty();
        assertThat(world.journal()).containsExactly("picked", "stage", "remove");
    }

    private void takeAway() {
        StoredRuns runs = world.runs();
        runs.finish();
        runs.change(record -> RunTransitions.admit(
                record, StoredRuns.LATER_ID, "bob", runs.now().plus(Duration.ofDays(1))));
    }
}

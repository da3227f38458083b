package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.StoredRuns;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What became of a run while it was being staged: it is launched only when it still may be. */
class RunExecutionStagedTest {
    private final WorkerWorld world = new WorkerWorld();
    private final StoredRuns runs = world.runs();

    @Test
    void a_run_that_was_closed_out_while_it_was_staged_is_not_launched_and_that_result_stands() throws Exception {
        stageFor(Duration.ofSeconds(10));
        RunResult[] theirs = new RunResult[1];
        world.after(Duration.ofSeconds(5), () -> {
            theirs[0] = runs.putResult(9, 0);
            runs.finish();
        });

        RunResult result = world.play();

        assertThat(world.launcher().requests()).isEmpty();
        assertThat(result).isEqualTo(theirs[0]);
    }

    @Test
    void a_run_that_nobody_forwarded_the_cancel_of_is_not_launched_when_it_is_staged() throws Exception {
        stageFor(Duration.ofSeconds(10));
        world.after(Duration.ofSeconds(5), runs::cancel);

        RunResult result = world.play();

        assertThat(world.launcher().requests()).isEmpty();
        assertThat(result.cancelled()).isTrue();
        assertThat(result.started()).isNull();
    }

    @Test
    void a_run_that_is_staged_when_it_should_have_ended_is_not_launched() throws Exception {
        Duration deadline = WorkerWorld.TIMEOUT.plus(RunsSettings.DEFAULTS.endAllowance());
        stageFor(deadline);

        RunResult result = world.play();

        assertThat(world.launcher().requests()).isEmpty();
        assertThat(result.interrupted()).isEqualTo("start failed");
        assertThat(result.started()).isNull();
        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    private void stageFor(Duration time) {
        world.directories().whileStaging(() -> runs.process().simulation().pause(time));
    }
}

package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.store.FaultyObjectStore.Call;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunExecutionErrorTest {
    @Test
    void an_error_while_the_command_runs_kills_it_and_goes_on_up() throws Exception {
        WorkerWorld world = new WorkerWorld();
        OutOfMemoryError error = new OutOfMemoryError("told to fail");
        world.launcher().script(ScriptedCommand::hang);
        world.after(
                Duration.ofSeconds(20),
                () -> world.runs().store().beforeNext(Call.GET, key -> true, () -> {
                    throw error;
                }));
        world.queued();

        assertThatThrownBy(world::pass).hasRootCause(error);

        assertThat(world.launcher().command().stops()).containsExactly(Duration.ZERO);
        assertThat(world.directories().present()).isEmpty();
    }
}

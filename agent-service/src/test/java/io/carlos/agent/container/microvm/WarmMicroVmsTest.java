package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StartFailedException;
import io.carlos.agent.container.microvm.WarmMicroVms.Warm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WarmMicroVmsTest {
    @TempDir
    private Path directory;

    private Path workspaces;

    @BeforeEach
    void makeDirectory() throws Exception {
        workspaces = Files.createDirectory(directory.resolve("warm"));
    }

    private WarmMicroVms machines(StandInWorld world) {
        return new WarmMicroVms(world.runtime(), workspaces, 1000, Map.of());
    }

    @Test
    void warmMachineTakesNoCommandUntilItIsProvisioned() throws Exception {
        try (StandInWorld world = new StandInWorld(directory)) {
            WarmMicroVms machines = machines(world);
            Warm warm = machines.boot();
            assertThat(machines.isReady(warm)).isTrue();
            assertThat(warm.workspace()).isEmptyDirectory();
            assertThat(catchThrowableOfType(
                                    CommandException.class,
                                    () -> world.runtime().exec(warm.id(), ExecSpec.of("true")))
                            .reason())
                    .isEqualTo(CommandException.Reason.NOT_READY);
            world.runtime().provision(warm.id());
            assertThat(machines.isReady(warm)).as("it is somebody's").isFalse();
            machines.discard(warm);
            assertThat(workspaces).isEmptyDirectory();
            assertThat(world.processes(warm.id())).isEmpty();
        }
    }

    @Test
    void machineThatEndedIsNotReady() throws Exception {
        try (StandInWorld world = new StandInWorld(directory)) {
            WarmMicroVms machines = machines(world);
            Warm warm = machines.boot();
            world.runtime().remove(warm.id());
            assertThat(machines.isReady(warm)).isFalse();
            machines.discard(warm);
        }
    }

    @Test
    void bootThatFailsLeavesNothing() throws Exception {
        try (StandInWorld world = new StandInWorld(directory).machine("/no/such/monitor")) {
            assertThatThrownBy(() -> machines(world).boot()).isInstanceOf(StartFailedException.class);
            assertThat(workspaces).isEmptyDirectory();
            assertThat(directory.resolve("run").resolve("microvm")).isEmptyDirectory();
        }
    }
}

package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StartFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WarmMicroVmsTest {
    @TempDir
    private Path directory;

    private static WarmMicroVms machines(StandInWorld world) {
        return new WarmMicroVms(world.runtime(), 1000, Map.of());
    }

    @Test
    void warmMachineTakesNoCommandUntilItIsProvisioned() throws Exception {
        try (StandInWorld world = new StandInWorld(directory)) {
            WarmMicroVms machines = machines(world);
            ContainerId warm = machines.boot();
            assertThat(machines.isReady(warm)).isTrue();
            assertThat(catchThrowableOfType(
                                    CommandException.class,
                                    () -> world.runtime().exec(warm, ExecSpec.of("true")))
                            .reason())
                    .isEqualTo(CommandException.Reason.NOT_READY);
            world.runtime().provision(warm);
            assertThat(machines.isReady(warm)).as("it is somebody's").isFalse();
            machines.discard(warm);
            assertThat(directory.resolve("run").resolve("microvm")).isEmptyDirectory();
            assertThat(world.processes(warm)).isEmpty();
        }
    }

    @Test
    void machineThatEndedIsNotReady() throws Exception {
        try (StandInWorld world = new StandInWorld(directory)) {
            WarmMicroVms machines = machines(world);
            ContainerId warm = machines.boot();
            world.runtime().remove(warm);
            assertThat(machines.isReady(warm)).isFalse();
            machines.discard(warm);
        }
    }

    @Test
    void bootThatFailsLeavesNothing() throws Exception {
        try (StandInWorld world = new StandInWorld(directory).machine("/no/such/monitor")) {
            assertThatThrownBy(() -> machines(world).boot()).isInstanceOf(StartFailedException.class);
            assertThat(directory.resolve("run").resolve("microvm")).isEmptyDirectory();
        }
    }

    @Test
    void dataThatAreGivenAreThereForTheProgramAndNotForThisMachine() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("file"), "given");
        try (StandInWorld world = new StandInWorld(directory).lateData()) {
            ContainerId warm = machines(world).boot();
            Path place = world.directory(warm).resolve("workspace/data");

            world.runtime().giveData(warm, data);

            Path seen = Path.of("/proc/" + world.pid(warm, "virtiofsd") + "/root" + place);
            assertThat(seen.resolve("file")).hasContent("given");
            assertThat(place.getParent()).isEmptyDirectory();
            assertThat(world.runtime().isReady(warm)).isTrue();
            world.runtime().remove(warm);
            assertThat(data.resolve("file")).hasContent("given");
        }
    }

    @Test
    void machineThatCannotBeGivenItsDataHasEnded() throws Exception {
        try (StandInWorld world = new StandInWorld(directory).helper("virtiofsd", StandInWorld.WAITS)) {
            ContainerId warm = machines(world).boot();

            assertThatThrownBy(() -> world.runtime().giveData(warm, directory.resolve("none")))
                    .isInstanceOf(ContainerException.class)
                    .hasMessageContaining("could not be given its data")
                    .hasMessageContaining("/none");
            assertThat(world.processes(warm)).isEmpty();
            world.runtime().remove(warm);
        }
    }

    @Test
    void machineIsNotWaitedForThatIsGivenItsDataForTooLong() throws Exception {
        Path hangs = Files.writeString(directory.resolve("mount"), "#!/bin/sh\nexec sleep 3909\n");
        assertThat(hangs.toFile().setExecutable(true)).isTrue();
        Duration bound = Duration.ofMillis(200);
        try (StandInWorld world = new StandInWorld(directory, bound, Duration.ofSeconds(60))
                .lateData("mount --bind " + hangs + " /usr/bin/mount")) {
            ContainerId warm = machines(world).boot();

            assertThatThrownBy(() -> world.runtime().giveData(warm, directory))
                    .isInstanceOf(ContainerException.class)
                    .hasMessageContaining("could not be given its data: mount runs");
            assertThat(world.processes(warm)).isEmpty();
            world.runtime().remove(warm);
        }
    }

    @Test
    void machineThatDiesWithItsDataIsNotProvisionedAndNamesTheProgram() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        try (StandInWorld world = new StandInWorld(directory).lateData().helper("passt", StandInWorld.WAITS)) {
            ContainerId warm = machines(world).boot();
            world.runtime().giveData(warm, data);
            ProcessHandle.of(world.pid(warm, "passt")).orElseThrow().destroyForcibly();
            world.awaitEnd(warm);

            assertThatThrownBy(() -> world.runtime().provision(warm))
                    .isInstanceOf(ContainerException.class)
                    .hasMessageContaining("passt was killed by signal 9 while the machine ran");
            world.runtime().stop(warm, Duration.ZERO);
            assertThat(world.processes(warm)).isEmpty();
            world.runtime().remove(warm);
            assertThat(directory.resolve("run").resolve("microvm")).isEmptyDirectory();
        }
    }
}

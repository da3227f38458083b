package io.carlos.agent.bench;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.microvm.BootConfiguration;
import io.carlos.agent.container.microvm.MicroVmWorld;
import io.carlos.agent.container.microvm.WarmMicroVms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/** Virtual machines of the image in the cache. */
final class MicroVmContender implements Contender {
    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin");

    private final Path workspace;
    private final MicroVmWorld world;
    private final WarmMicroVms warm;

    MicroVmContender(Path work) throws IOException, InterruptedException {
        workspace = Files.createDirectories(work.resolve("workspace"));
        world = MicroVmWorld.open(work.resolve("run"));
        warm = new WarmMicroVms(world.runtime(), MicroVmWorld.USER, ENVIRONMENT);
    }

    @Override
    public String name() {
        return "microVM, QEMU with " + world.accelerator();
    }

    @Override
    public ContainerRuntime runtime() {
        return world.runtime();
    }

    @Override
    public ContainerSpec spec(String name) {
        return ContainerSpec.of(
                name, Mount.readWrite(workspace, BootConfiguration.WORKSPACE), MicroVmWorld.USER, ENVIRONMENT);
    }

    @Override
    public OptionalLong nanosOfWarmStart() throws Exception {
        ContainerId machine = warm.boot();
        long start = System.nanoTime();
        world.runtime().giveData(machine, workspace);
        world.runtime().provision(machine);
        world.runtime().exec(machine, ExecSpec.of("true"));
        long nanos = System.nanoTime() - start;
        warm.discard(machine);
        return OptionalLong.of(nanos);
    }

    @Override
    public Map<String, Integer> parts(ContainerId id) throws IOException {
        return world.programs(id);
    }

    @Override
    public void end() throws Exception {
        world.end();
    }
}

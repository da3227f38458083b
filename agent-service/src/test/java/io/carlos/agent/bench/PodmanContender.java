package io.carlos.agent.bench;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.podman.ContainerRoot;
import io.carlos.agent.container.podman.PodmanRuntime;
import io.carlos.agent.container.podman.PodmanSettings;
import io.carlos.model.testing.PodmanHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/** Containers of the podman that is installed here. */
final class PodmanContender implements Contender {
    private static final int USER = 1000;

    private final PodmanHost host;
    private final Path workspace;
    private final PodmanRuntime runtime;

    PodmanContender(Path work) throws Exception {
        Files.createDirectories(work);
        host = PodmanHost.require(work);
        workspace = Files.createDirectories(work.resolve("workspace"));
        runtime = PodmanRuntime.open(PodmanSettings.of(
                        new ContainerRoot.Directory(host.root()),
                        host.nativeProgram(),
                        work.toString(),
                        System.getenv())
                .withProgram(host.program())
                .withCreateArguments(host.createArguments()));
    }

    @Override
    public String name() {
        return "podman";
    }

    @Override
    public ContainerRuntime runtime() {
        return runtime;
    }

    @Override
    public ContainerSpec spec(String name) {
        return ContainerSpec.of(name, Mount.readWrite(workspace, "/workspace"), USER, Map.of("PATH", "/usr/bin:/bin"));
    }

    @Override
    public OptionalLong nanosOfWarmStart() {
        return OptionalLong.empty();
    }

    /** None that is a child of the agent: conmon leaves it at once. */
    @Override
    public Map<String, Integer> parts(ContainerId id) throws IOException {
        return Map.of();
    }

    @Override
    public void end() throws Exception {
        runtime.close();
        host.close();
    }
}

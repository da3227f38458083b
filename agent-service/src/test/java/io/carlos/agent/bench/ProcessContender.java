package io.carlos.agent.bench;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.microvm.HostProcessRuntime;
import io.carlos.model.testing.SupervisorProcess;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The supervisor as a process of this machine: what a virtual machine is compared with. */
final class ProcessContender implements Contender {
    private final Path workspace;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final HostProcessRuntime runtime;

    ProcessContender(Path work) throws IOException, InterruptedException {
        workspace = Files.createDirectories(work.resolve("workspace"));
        runtime = HostProcessRuntime.open(work.resolve("run"), loop);
    }

    @Override
    public String name() {
        return "the supervisor as a process, without a cache of its classes";
    }

    @Override
    public ContainerRuntime runtime() {
        return runtime;
    }

    @Override
    public ContainerSpec spec(String name) {
        return ContainerSpec.of(
                name,
                Mount.readWrite(workspace, workspace.toString()),
                SupervisorProcess.UID,
                Map.of("PATH", "/usr/bin:/bin"));
    }

    @Override
    public OptionalLong nanosOfWarmStart() {
        return OptionalLong.empty();
    }

    @Override
    public Map<String, Integer> parts(ContainerId id) {
        return Map.of();
    }

    @Override
    public void end() throws Exception {
        runtime.removeAll();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }
}

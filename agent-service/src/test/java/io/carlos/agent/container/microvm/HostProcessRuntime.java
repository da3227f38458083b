package io.carlos.agent.container.microvm;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.guest.GuestAddress;
import io.carlos.agent.guest.GuestClient;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Machines that are {@link HostProcessMonitor}s, whose workspace is where it is on this one. Each has a namespace of
 * processes, so that what is in it dies with it.
 */
public final class HostProcessRuntime implements ContainerRuntime {
    private static final Duration BOOT_BUDGET = Duration.ofMinutes(3);

    private final MicroVmRuntime runtime;

    private HostProcessRuntime(MicroVmRuntime runtime) {
        this.runtime = runtime;
    }

    public static HostProcessRuntime open(Path runRoot, EventLoopGroup loop) throws IOException, InterruptedException {
        return new HostProcessRuntime(machines(runRoot, loop));
    }

    /** The machines themselves, whose commands find a workspace where it is on this machine. */
    public static MicroVmRuntime machines(Path runRoot, EventLoopGroup loop) throws IOException, InterruptedException {
        List<String> unshare =
                new ArrayList<>(List.of("/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--mount-proc"));
        if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            unshare.addAll(List.of("--user", "--map-current-user"));
        }
        return machines(runRoot, loop, unshare.toArray(String[]::new));
    }

    /** @param launcher the words of a command that executes the one behind it */
    public static HostProcessRuntime open(Path runRoot, EventLoopGroup loop, String... launcher)
            throws IOException, InterruptedException {
        return new HostProcessRuntime(machines(runRoot, loop, launcher));
    }

    private static MicroVmRuntime machines(Path runRoot, EventLoopGroup loop, String... launcher)
            throws IOException, InterruptedException {
        return MicroVmRuntime.open(
                MicroVmSettings.beneath(runRoot).withBootBudget(BOOT_BUDGET),
                new HostProcessMonitor(launcher),
                socket -> GuestClient.of(new GuestAddress.UnixSocket(socket), loop),
                MicroVmListener.NONE,
                BootPermission.GIVEN);
    }

    public void removeAll() throws ContainerException, InterruptedException {
        runtime.close();
    }

    @Override
    public ContainerId create(ContainerSpec spec) throws ContainerException {
        List<Mount> mounts = spec.mounts().stream()
                .map(mount -> mount.target().equals(mount.source().toString())
                        ? Mount.readWrite(mount.source(), BootConfiguration.WORKSPACE)
                        : mount)
                .toList();
        return runtime.create(spec.withMounts(mounts));
    }

    @Override
    public void start(ContainerId id, BooleanSupplier wanted) throws ContainerException, InterruptedException {
        runtime.start(id, wanted);
    }

    @Override
    public ExecOutput exec(ContainerId id, ExecSpec spec) throws CommandException, InterruptedException {
        return runtime.exec(id, spec);
    }

    @Override
    public StreamingExec execStreaming(ContainerId id, StreamingExecSpec spec)
            throws CommandException, InterruptedException {
        return runtime.execStreaming(id, spec);
    }

    @Override
    public void stop(ContainerId id, Duration timeout) throws ContainerException, InterruptedException {
        runtime.stop(id, timeout);
    }

    @Override
    public void remove(ContainerId id) throws ContainerException, InterruptedException {
        runtime.remove(id);
    }

    @Override
    public boolean exists(String name) {
        return runtime.exists(name);
    }

    @Override
    public String mountLabel(ContainerId id) throws ContainerException {
        return runtime.mountLabel(id);
    }
}

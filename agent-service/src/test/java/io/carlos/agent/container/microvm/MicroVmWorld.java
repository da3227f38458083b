package io.carlos.agent.container.microvm;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.microvm.QemuMonitor.Accelerator;
import io.carlos.agent.guest.HybridVsockDialer;
import io.carlos.model.testing.GuestCache;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Virtual machines of the image in the cache, and what this machine sees of them. */
public final class MicroVmWorld {
    public static final int USER = BootConfiguration.USER;

    static final List<InetSocketAddress> METADATA =
            List.of(new InetSocketAddress("169.254.169.254", 80), new InetSocketAddress("fd00:ec2::254", 80));

    private static final Duration BOOT_BUDGET = Duration.ofMinutes(10);

    private final Path runRoot;
    private final EventLoopGroup loop;
    private final Accelerator accelerator;
    private final GuestNetwork network;
    private final MicroVmRuntime runtime;

    private MicroVmWorld(
            Path runRoot, EventLoopGroup loop, Accelerator accelerator, GuestNetwork network, MicroVmRuntime runtime) {
        this.runRoot = runRoot;
        this.loop = loop;
        this.accelerator = accelerator;
        this.network = network;
        this.runtime = runtime;
    }

    public static MicroVmWorld open(Path runRoot) throws IOException, InterruptedException {
        return open(runRoot, image());
    }

    static MicroVmWorld open(Path runRoot, GuestImage image) throws IOException, InterruptedException {
        Path tools = GuestCache.located().tools();
        Accelerator accelerator = GuestCache.mustEmulate() ? Accelerator.TCG : Accelerator.KVM;
        GuestNetwork network =
                GuestNetwork.of(Helpers.in(tools, Helpers.Owner.self()), METADATA, "the constant of this test");
        QemuMonitor monitor =
                new QemuMonitor(tools.resolve("qemu-system-x86_64"), accelerator, image, network.helpers());
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        return new MicroVmWorld(
                runRoot,
                loop,
                accelerator,
                network,
                MicroVmRuntime.open(
                        MicroVmSettings.beneath(runRoot).withBootBudget(BOOT_BUDGET),
                        monitor,
                        new HybridVsockDialer(loop),
                        MicroVmListener.NONE,
                        BootPermission.GIVEN));
    }

    /** The one that was made last. */
    static GuestImage image() throws IOException {
        return GuestImage.in(GuestCache.located().image());
    }

    public MicroVmRuntime runtime() {
        return runtime;
    }

    public Accelerator accelerator() {
        return accelerator;
    }

    /** Why guests are not kept from the metadata service here; empty when they are. */
    Optional<String> weakness() {
        return network.weakness();
    }

    Path sessions() {
        return runRoot.resolve("microvm");
    }

    private SessionDirectory directory(ContainerId id) {
        return SessionDirectory.of(sessions(), id);
    }

    /** The number of each program's first process, which leads a session of its own, in the order of their starts. */
    public Map<String, Integer> programs(ContainerId id) throws IOException {
        Map<String, Integer> programs = new LinkedHashMap<>();
        for (SessionRecord.Started started :
                SessionRecord.read(directory(id)).orElseThrow().programs()) {
            programs.put(started.program(), started.pid());
        }
        return programs;
    }

    /** What the guest said. */
    String console(ContainerId id) throws IOException {
        return Files.readString(directory(id).log("qemu"), StandardCharsets.ISO_8859_1);
    }

    /** Leaves no machine. */
    public void end() throws ContainerException, InterruptedException {
        try {
            runtime.close();
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }
}

package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.container.microvm.QemuMonitor.Accelerator;
import io.carlos.agent.guest.HybridVsockDialer;
import io.carlos.model.testing.GuestCache;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract in virtual machines. Most rows share one; an emulated machine takes a minute to boot on a busy machine.
 */
@Timeout(1200)
class MicroVmContractIT extends SupervisorRows {
    private static final Duration BOOT_BUDGET = Duration.ofMinutes(10);
    private static final int USER = 1000;
    private static final int NOBODYS = 4321;

    @TempDir
    private static Path directory;

    private Path runRoot;
    private Path workspace;
    private EventLoopGroup loop;
    private MicroVmRuntime runtime;
    private ContainerId shared;

    @BeforeAll
    void boot() throws Exception {
        GuestCache cache = GuestCache.require();
        workspace = Files.createDirectory(directory.resolve("workspace"));
        runRoot = directory.resolve("run");
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        QemuMonitor monitor = new QemuMonitor(
                cache.tools().resolve("qemu-system-x86_64"),
                GuestCache.mustEmulate() ? Accelerator.TCG : Accelerator.KVM,
                GuestImage.in(cache.image()),
                Helpers.in(cache.tools(), Helpers.Owner.self()));
        runtime = MicroVmRuntime.open(
                MicroVmSettings.beneath(runRoot).withBootBudget(BOOT_BUDGET),
                monitor,
                new HybridVsockDialer(loop),
                MicroVmListener.NONE,
                BootPermission.GIVEN);
        shared = started();
    }

    @AfterAll
    void nothingIsLeft() throws Exception {
        if (runtime != null) {
            runtime.close();
            assertThat(runRoot.resolve("microvm")).isEmptyDirectory();
        }
        if (loop != null) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        }
    }

    @Override
    protected ContainerRuntime runtime() {
        return runtime;
    }

    @Override
    protected ContainerId shared() {
        return shared;
    }

    @Override
    protected Path workspace() {
        return workspace;
    }

    @Override
    protected String workspaceInside() {
        return BootConfiguration.WORKSPACE;
    }

    @Override
    protected int uid() {
        return USER;
    }

    @Override
    protected int unknownUid() {
        return NOBODYS;
    }

    @Test
    void commandThatUsesTheWorkspaceFailsWithItsProgram() throws Exception {
        ContainerId id = started();
        StreamingExec exec = runtime.execStreaming(
                id, StreamingExecSpec.of("sh", "-c", "echo; while :; do date >/workspace/now; done"));
        assertThat(exec.stdout().read()).isEqualTo('\n');
        SessionRecord record = SessionRecord.read(SessionDirectory.of(runRoot.resolve("microvm"), id))
                .orElseThrow();
        ProcessHandle.of(record.programs().getFirst().pid()).orElseThrow().destroyForcibly();
        CommandException failure =
                catchThrowableOfType(CommandException.class, () -> exec.child().waitFor());
        assertThat(failure.reason()).isEqualTo(Reason.TRANSPORT);
        assertThat(failure).hasMessageContaining("virtiofsd was killed by signal 9 while the machine ran");
        runtime.remove(id);
    }
}

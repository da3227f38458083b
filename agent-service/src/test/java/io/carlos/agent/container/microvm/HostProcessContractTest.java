package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.testing.SupervisorProcess;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, with the supervisor as a process of this machine. */
class HostProcessContractTest extends SupervisorRows {
    @TempDir
    private static Path directory;

    private Path workspace;
    private EventLoopGroup loop;
    private HostProcessRuntime runtime;
    private ContainerId shared;

    @BeforeAll
    void open() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        workspace = Files.createDirectory(directory.resolve("workspace"));
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxrwxrwx"));
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        runtime = HostProcessRuntime.open(directory.resolve("run"), loop);
        shared = started(specWithWhatMeansNothing());
    }

    @AfterAll
    void nothingIsLeft() throws Exception {
        runtime.removeAll();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
        assertThat(directory.resolve("run").resolve("microvm")).isEmptyDirectory();
        assertThat(processesOf(directory.resolve("run").toString())).isEmpty();
    }

    /** Of any session beneath a run root. */
    private static List<ProcessStat> processesOf(String runRoot) throws IOException {
        List<ProcessStat> found = new ArrayList<>();
        for (ProcessStat process : ProcFs.processes()) {
            if (ProcFs.environmentVariable(process.pid(), LeftSessions.MARK)
                    .filter(session -> session.startsWith(runRoot))
                    .isPresent()) {
                found.add(process);
            }
        }
        return found;
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
        return workspace.toString();
    }

    @Override
    protected int uid() {
        return SupervisorProcess.UID;
    }

    @Test
    void killedSupervisorFailsItsCommandsByItsName() throws Exception {
        ContainerId id = started();
        StreamingExec exec = runtime.execStreaming(id, StreamingExecSpec.of("sleep", "3908"));
        Path record =
                directory.resolve("run").resolve("microvm").resolve(id.value()).resolve("session.json");
        int pid = Integer.parseInt(Files.readString(record).replaceAll("(?s).*\"pid\":\\s*(\\d+).*", "$1"));
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        CommandException failure =
                catchThrowableOfType(CommandException.class, () -> exec.child().waitFor());
        assertThat(failure.reason()).isEqualTo(Reason.TRANSPORT);
        assertThat(failure).hasMessageContaining("supervisor was killed by signal 9");
        runtime.remove(id);
    }
}

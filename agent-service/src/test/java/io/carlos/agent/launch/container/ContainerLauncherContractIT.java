package io.carlos.agent.launch.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.container.microvm.HostProcessRuntime;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.launch.RunLauncherContract;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.testing.SupervisorProcess;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The contract, with supervisors in namespaces of processes: whatever is in one dies with it, as in a machine. Each command
 * costs the start of a JVM, some seconds.
 */
class ContainerLauncherContractIT extends RunLauncherContract {
    private static EventLoopGroup loop;

    private HostProcessRuntime runtime;

    @BeforeAll
    static void makeLoop() {
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    }

    @AfterAll
    static void endLoop() throws Exception {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    @BeforeEach
    void open() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        runtime = HostProcessRuntime.open(directory.resolve("run"), loop);
    }

    @AfterEach
    void nothingOfAnyRunIsLeft() {
        assertThat(directory.resolve("run").resolve("microvm")).isEmptyDirectory();
    }

    @Override
    protected RunLauncher launcher(Duration drainBound) {
        ContainerLauncher launcher = new ContainerLauncher(
                runtime, request -> request.dataDirectory().toString(), SupervisorProcess.UID);
        return (request, output) -> {
            openToAll(request.runDirectory());
            openToAll(request.dataDirectory());
            return launcher.launch(request, output);
        };
    }

    /** As a machine's share has the guest's user be the files' owner. */
    private static void openToAll(Path path) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected boolean isAlive(int pid) throws IOException {
        for (ProcessStat process : ProcFs.processes()) {
            if (!process.isDead() && isCalled(process.pid(), pid)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a process has a number within a namespace below this one. */
    private static boolean isCalled(int process, int inside) {
        try {
            return Files.readAllLines(Path.of("/proc/" + process + "/status"), StandardCharsets.ISO_8859_1).stream()
                    .anyMatch(line -> line.matches("NSpid:\t\\d+(\t\\d+)*\t" + inside));
        } catch (IOException e) {
            // It ended meanwhile.
            return false;
        }
    }

    @Override
    protected int manyRuns() {
        return 3;
    }

    @Test
    void unknownProgramEndsAsInAShell() throws Exception {
        Running running = start("no-such-program", "secret");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(127, ""));
        assertThat(running.sink().stderr()).isEqualTo("carlos: no-such-program: not found\n");
    }

    @ParameterizedTest
    @CsvSource({"rw-r--r--, '#!/bin/sh'", "rwxr-xr-x, 'exit 0'"})
    void fileThatCannotBeExecutedEndsAsInAShell(String permissions, String content) throws Exception {
        LaunchRequest request = request(Map.of(), "./program");
        Path program = Files.writeString(request.runDirectory().resolve("program"), content + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString(permissions));
        Running running = start(launcher(BOUND), request, new RecordingSink());
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(126, ""));
        assertThat(running.sink().stderr())
                .startsWith("carlos: ./program: not a ")
                .doesNotContain("microvm");
    }

    @Test
    void outputThatASlowSinkHoldsIsKeptAlthoughTheCommandIsKilled() throws Exception {
        int size = 1_000_000;
        HoldingSink sink = new HoldingSink();
        LaunchRequest request = request(
                Map.of(), "sh", "-c", "trap '' TERM; head -c " + size + " /dev/zero; echo > printed; sleep 3912");
        Running running = start(launcher(BOUND), request, sink);
        await("all that it prints", () -> Files.exists(request.runDirectory().resolve("printed")));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<CommandEnd> stop = threads.submit(() -> running.run().stop(SHORT));
            assertThat(running.run().awaitEnd(BOUND)).isPresent();
            sink.open();
            assertThat(stop.get()).isEqualTo(new CommandEnd.Killed(9, ""));
        }
        assertThat(sink.bytes(OutputChannel.STDOUT)).hasSize(size);
    }

    @Test
    void workingDirectoryIsTheRunDirectory() throws Exception {
        Running running = start("pwd");
        running.finish();
        assertThat(running.sink().stdout()).isEqualTo(running.directory() + "\n");
    }

    @Test
    void containerThatIsLostLosesItsCommand() throws Exception {
        Running running = start("sh", "-c", "echo ready; exec sleep 3911");
        running.sink().awaitStdout("ready", BOUND);
        runtime.removeAll();
        assertThat(running.run().awaitEnd(BOUND).orElseThrow()).isInstanceOf(CommandEnd.Lost.class);
        assertThat(running.run().stop(LONG_GRACE)).isInstanceOf(CommandEnd.Lost.class);
    }

    @Test
    void startThatFailsIsToldAndLeavesNothing() throws Exception {
        HostProcessRuntime broken = HostProcessRuntime.open(directory.resolve("run"), loop, "/no/such/launcher");
        RunLauncher launcher =
                new ContainerLauncher(broken, request -> request.dataDirectory().toString(), SupervisorProcess.UID);
        LaunchOutcome outcome = launcher.launch(request(Map.of(), "true"), new RecordingSink());
        assertThat(outcome).isInstanceOf(LaunchOutcome.Failed.class);
        assertThat(((LaunchOutcome.Failed) outcome).message()).contains("/no/such/launcher");
    }
}

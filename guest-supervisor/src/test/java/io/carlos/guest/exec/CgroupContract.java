package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.MountTable;
import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.testing.SupervisorProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands in control groups, where this process may make some. */
@Timeout(60)
abstract class CgroupContract {
    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    Path parent;
    Executions executions;

    private final Supplier<Optional<Path>> nativeProgram;

    CgroupContract(Supplier<Optional<Path>> nativeProgram) {
        this.nativeProgram = nativeProgram;
    }

    @BeforeEach
    void makeGroup() throws Exception {
        Path root = MountTable.read().mounts().stream()
                .filter(mount -> mount.fileSystem().equals("cgroup2"))
                .map(mount -> Path.of(mount.point()))
                .findFirst()
                .orElse(Path.of("/no/cgroup2"));
        parent = root.resolve("carlos-test-" + ProcessHandle.current().pid());
        try {
            Files.createDirectory(parent);
        } catch (IOException e) {
            System.out.println("skipped: control groups cannot be made: " + e);
            Assumptions.abort("control groups cannot be made");
        }
        executions = new Executions(
                ChildStarter.ofThisProcess(new GroupLookup(Path.of("/etc/passwd")), nativeProgram.get()),
                new CgroupContainment.Factory(parent),
                threads,
                OneReaper.CHILDREN);
    }

    @AfterEach
    void removeGroup() throws Exception {
        threads.shutdownNow();
        Files.deleteIfExists(parent);
    }

    final Execution start(String script, CompletableFuture<String> firstOutput) throws Exception {
        Execution execution = executions.start(ExecCommand.of(
                List.of("sh", "-c", script), SupervisorProcess.UID, Map.of("PATH", "/usr/bin:/bin"), Map.of(), "/"));
        executions.follow(
                execution,
                new ExecOutput(
                        (bytes, length) -> firstOutput.complete(new String(bytes, 0, length).strip()),
                        (bytes, length) -> {}));
        return execution;
    }

    static ChildEnd end(Execution execution) throws Exception {
        return execution.finished().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aDaemonThatClearedEveryMarkIsKilled() throws Exception {
        CompletableFuture<String> daemon = new CompletableFuture<>();
        // The pause lets the command enter its group before it has children.
        Execution execution = start(
                "sleep 0.3; (setsid env -i sh -c 'echo $$; exec sleep 3999 >/dev/null 2>&1' &) ; sleep 0.3; exit 4",
                daemon);
        assertThat(end(execution)).isEqualTo(new ChildEnd.Exited(4));
        assertGone(daemon);
    }

    private static void assertGone(CompletableFuture<String> printed) throws Exception {
        int pid = Integer.parseInt(printed.get(1, TimeUnit.SECONDS));
        assertThat(ProcFs.stat(pid).filter(process -> !process.isDead())).isEmpty();
    }

    @Test
    void aDaemonThatWasFasterThanItsGroupIsKilled() throws Exception {
        for (int i = 0; i < 20; i++) {
            CompletableFuture<String> daemon = new CompletableFuture<>();
            Execution execution = start("setsid -f sh -c 'echo $$; exec sleep 3997 >/dev/null 2>&1'", daemon);
            assertThat(end(execution)).isEqualTo(new ChildEnd.Exited(0));
            assertGone(daemon);
        }
    }

    @Test
    void nothingIsLeftOfTheGroup() throws Exception {
        assertThat(end(start("exit 0", new CompletableFuture<>()))).isEqualTo(new ChildEnd.Exited(0));
        assertNoGroup();
    }

    @Test
    void nothingIsLeftOfTheGroupOfACommandThatCouldNotBeStarted() throws Exception {
        Path script = Files.writeString(directory.resolve("script"), "#!/no/such/interpreter\n");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String program : List.of("/no/such/program", script.toString())) {
            ExecCommand command = ExecCommand.of(List.of(program), SupervisorProcess.UID, Map.of(), Map.of(), "/");
            assertThatThrownBy(() -> executions.start(command)).isInstanceOf(ExecRefusedException.class);
        }
        assertNoGroup();
    }

    private void assertNoGroup() throws IOException {
        try (Stream<Path> left = Files.list(parent)) {
            assertThat(left.filter(Files::isDirectory)).isEmpty();
        }
    }

    @Test
    void aKilledCommandTakesItsGroupAlong() throws Exception {
        CompletableFuture<String> ready = new CompletableFuture<>();
        Execution execution = start("sleep 3998 & echo $!; wait", ready);
        int sleep = Integer.parseInt(ready.get(60, TimeUnit.SECONDS));
        assertThat(ProcFs.stat(sleep)).isPresent();
        execution.kill();
        assertThat(end(execution)).isEqualTo(new ChildEnd.Killed(9));
        assertGone(ready);
    }
}

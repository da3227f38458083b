package io.carlos.model.linux.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PosixSpawnTest {
    @TempDir
    private Path directory;

    private SpawnedProcess shell(String script) throws ProcessCallException {
        return PosixSpawn.spawn(
                new SpawnRequest("/bin/sh", List.of("sh", "-c", script), Map.of("PATH", "/usr/bin:/bin"), directory));
    }

    /** Reads standard output to its end, and leaves nothing of the process. */
    private static String finish(SpawnedProcess process) throws ProcessCallException {
        try (PipeReader stdout = process.stdout();
                PipeReader stderr = process.stderr()) {
            assertThat(process.child().awaitEnd()).isEqualTo(new ChildEnd.Exited(0));
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            byte[] buffer = new byte[100];
            for (int count = stdout.read(buffer); count != PipeReader.END; count = stdout.read(buffer)) {
                content.write(buffer, 0, count);
            }
            assertThat(stderr.read(buffer)).isEqualTo(PipeReader.END);
            process.child().reap();
            return content.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void childHasTheGivenEnvironmentAndNothingElse() throws Exception {
        SpawnedProcess process = PosixSpawn.spawn(
                new SpawnRequest("/usr/bin/env", List.of("env"), Map.of("ONLY", "this one"), directory));
        assertThat(finish(process)).isEqualTo("ONLY=this one\n");
    }

    @Test
    void failedSpawnOfAHostileNameIsToldOnOneLine() {
        SpawnRequest request = new SpawnRequest("/nowhere/x\nforged", List.of("x"), Map.of(), directory);

        assertThatThrownBy(() -> PosixSpawn.spawn(request))
                .isInstanceOf(ProcessCallException.class)
                .message()
                .doesNotContain("\n")
                .contains("/nowhere/x?forged");
    }

    @Test
    void childStartsInTheWorkingDirectory() throws Exception {
        assertThat(finish(shell("pwd -P")).strip())
                .isEqualTo(directory.toRealPath().toString());
    }

    @Test
    void childLeadsItsOwnSessionAndGroup() throws Exception {
        SpawnedProcess process = shell("exit 0");
        int pid = process.child().pid();
        assertThat(ProcFs.stat(pid)).hasValueSatisfying(stat -> {
            assertThat(stat.session()).isEqualTo(pid);
            assertThat(stat.group()).isEqualTo(pid);
        });
        finish(process);
    }

    @Test
    void awaitedChildKeepsItsNumberUntilItIsReaped() throws Exception {
        SpawnedProcess process = shell("exit 0");
        int pid = process.child().pid();
        process.child().awaitEnd();
        assertThat(ProcFs.stat(pid))
                .hasValueSatisfying(stat -> assertThat(stat.isDead()).isTrue());
        process.child().awaitEnd();
        finish(process);
        assertThat(ProcFs.stat(pid)
                        .filter(stat -> stat.parent() == ProcessHandle.current().pid()))
                .isEmpty();
    }

    @Test
    void childThatWasReapedAlreadyIsToldFromOneThatEnded() throws Exception {
        SpawnedProcess process = shell("exit 0");
        finish(process);
        assertThatThrownBy(() -> process.child().awaitEnd())
                .isInstanceOfSatisfying(
                        ProcessCallException.class, e -> assertThat(e.errno()).isEqualTo(ProcessCallException.ECHILD));
    }

    /** Says how a child of it ended, and which signals that child ignored. */
    static final class SpawningJvm {
        public static void main(String[] arguments) throws Exception {
            SpawnedProcess process = PosixSpawn.spawn(new SpawnRequest(
                    "/bin/grep", List.of("grep", "SigIgn", "/proc/self/status"), Map.of(), Path.of("/")));
            System.out.print(finish(process));
        }
    }

    @Test
    void signalsThatTheJvmsOwnParentIgnoredHaveTheirDefaultInTheChild() throws Exception {
        Process jvm = new ProcessBuilder(
                        "env",
                        "--ignore-signal=HUP,CHLD,USR1",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SpawningJvm.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("SigIgn:\t0000000000000000\n");
    }

    @Test
    void signalToTheGroupOfAnEndedChildIsNoError() throws Exception {
        SpawnedProcess process = shell("exit 0");
        process.child().awaitEnd();
        process.child().signalGroup(Signal.TERM);
        finish(process);
    }

    @Test
    void signalReachesTheWholeGroup() throws Exception {
        SpawnedProcess process = shell("sleep 1000 & echo started; wait");
        byte[] buffer = new byte[100];
        assertThat(process.stdout().read(buffer)).isEqualTo("started\n".length());
        process.child().signalGroup(Signal.KILL);
        assertThat(process.child().awaitEnd()).isEqualTo(new ChildEnd.Killed(9));
        assertThat(process.stdout().read(buffer)).as("sleep holds it no more").isEqualTo(PipeReader.END);
        process.child().reap();
        process.stdout().close();
        process.stderr().close();
    }

    @Test
    void missingProgramLeavesNeitherProcessNorDescriptor() throws Exception {
        finish(shell("exit 0"));
        long before = openPipes();
        SpawnRequest request = new SpawnRequest("/no/such/program", List.of("x"), Map.of(), directory);
        assertThatThrownBy(() -> PosixSpawn.spawn(request))
                .isInstanceOfSatisfying(
                        ProcessCallException.class, e -> assertThat(e.errno()).isEqualTo(ProcessCallException.ENOENT))
                .hasMessageContaining("/no/such/program")
                .hasMessageContaining("No such file or directory");
        assertThat(openPipes()).isEqualTo(before);
        long self = ProcessHandle.current().pid();
        assertThat(ProcFs.processes()).noneMatch(process -> process.parent() == self);
    }

    private static long openPipes() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .map(PosixSpawnTest::target)
                    .filter(target -> target.startsWith("pipe:") || target.contains("eventfd"))
                    .count();
        }
    }

    /** Of a descriptor that was closed since it was listed: empty. */
    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void abandonEndsABlockedReadAlthoughTheWriterLives() throws Exception {
        SpawnedProcess process = shell("exec sleep 1000");
        Thread reader = Thread.ofPlatform().start(() -> {
            try {
                assertThat(process.stdout().read(new byte[1])).isEqualTo(PipeReader.END);
            } catch (ProcessCallException e) {
                throw new IllegalStateException(e);
            }
        });
        process.stdout().abandon();
        reader.join();
        assertThat(process.stdout().read(new byte[1])).as("and every later one").isEqualTo(PipeReader.END);
        process.child().signalGroup(Signal.KILL);
        process.child().reap();
        process.stdout().close();
        process.stdout().abandon();
        process.stderr().close();
    }

    @Test
    void abandonEndsReadingAlthoughTheWriterNeverPauses() throws Exception {
        SpawnedProcess process = shell("exec yes");
        byte[] buffer = new byte[100];
        assertThat(process.stdout().read(buffer)).isPositive();
        process.stdout().abandon();
        assertThat(process.stdout().read(buffer)).isEqualTo(PipeReader.END);
        process.child().signalGroup(Signal.KILL);
        process.child().reap();
        process.stdout().close();
        process.stderr().close();
    }

    @Test
    void variableIsReadFromAnotherProcess() throws Exception {
        SpawnedProcess process = PosixSpawn.spawn(new SpawnRequest(
                "/bin/sleep", List.of("sleep", "1000"), Map.of("XNAME", "no", "NAME", "a=b", "EMPTY", ""), directory));
        int pid = process.child().pid();
        assertThat(ProcFs.environmentVariable(pid, "NAME")).contains("a=b");
        assertThat(ProcFs.environmentVariable(pid, "EMPTY")).contains("");
        assertThat(ProcFs.environmentVariable(pid, "NAM")).isEmpty();
        process.child().signalGroup(Signal.KILL);
        process.child().reap();
        assertThat(ProcFs.environmentVariable(pid, "NAME"))
                .as("of one that is gone")
                .isEmpty();
        assertThat(PidFd.open(pid)).isEmpty();
        process.stdout().close();
        process.stderr().close();
    }

    @Test
    void variableIsReadFromAProcessThatHasOnlyJustExecutedItsProgram() throws Exception {
        for (int i = 0; i < 200; i++) {
            SpawnedProcess process = PosixSpawn.spawn(
                    new SpawnRequest("/bin/sleep", List.of("sleep", "1000"), Map.of("NAME", "value"), directory));
            assertThat(ProcFs.environmentVariable(process.child().pid(), "NAME"))
                    .as("attempt %d", i)
                    .contains("value");
            process.child().signalGroup(Signal.KILL);
            process.child().reap();
            process.stdout().close();
            process.stderr().close();
        }
    }

    @Test
    void signalThroughAHoldReachesTheProcessAndThenNobody() throws Exception {
        SpawnedProcess process = shell("exec sleep 1000");
        try (PidFd hold = PidFd.open(process.child().pid()).orElseThrow()) {
            hold.signal(Signal.KILL);
            assertThat(process.child().awaitEnd()).isEqualTo(new ChildEnd.Killed(9));
            process.child().reap();
            hold.signal(Signal.KILL);
        }
        process.stdout().close();
        process.stderr().close();
    }

    @Test
    void textsThatTheKernelWouldCutAreRefused() {
        assertThatThrownBy(() -> new SpawnRequest("/bin/true", List.of("a", "b\0c"), Map.of(), directory))
                .hasMessageContaining("argument 1 has a NUL at position 1");
        assertThatThrownBy(() -> new SpawnRequest("/bin/true", List.of("a"), Map.of("N", "\0"), directory))
                .hasMessageContaining("the environment variable N has a NUL at position 0");
        assertThatThrownBy(() -> new SpawnRequest("/bin/true", List.of("a"), Map.of("A=B", "c"), directory))
                .hasMessageContaining("\"A=B\"");
        assertThatThrownBy(() -> new SpawnRequest("/bin/true", List.of(), Map.of(), directory))
                .hasMessageContaining("argv is empty");
    }
}

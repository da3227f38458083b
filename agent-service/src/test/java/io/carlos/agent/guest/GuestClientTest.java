package io.carlos.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.CommandTimeoutException;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.container.microvm.Guest;
import io.carlos.model.testing.SupervisorProcess;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client against a real supervisor that is a process of this machine. */
@Timeout(120)
class GuestClientTest {
    /** gRPC asks no more often. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    private static Path directory;

    private static EventLoopGroup loop;
    private static SupervisorProcess supervisor;
    private static GuestClient client;

    @BeforeAll
    static void startSupervisor() throws Exception {
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        supervisor = SupervisorProcess.start(directory, "--carlos.guest.boot-nonce=0a0b");
        client = GuestClient.of(new GuestAddress.UnixSocket(supervisor.socket()), loop);
        client.provision(SupervisorProcess.UID, Map.of("PATH", "/usr/bin:/bin"));
    }

    @AfterAll
    static void stopSupervisor() throws Exception {
        client.close();
        supervisor.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    private static StreamingExec stream(String script) throws Exception {
        return client.execStreaming(StreamingExecSpec.of("sh", "-c", script));
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static Reason reason(ExecSpec spec) {
        return catchThrowableOfType(CommandException.class, () -> client.exec(spec))
                .reason();
    }

    @Test
    void healthTellsTheNonceOfTheBoot() throws Exception {
        Guest.Health health = client.health(BOUND);
        assertThat(health.bootNonce()).containsExactly(0x0a, 0x0b);
        assertThat(health.networkUp()).isTrue();
        assertThat(health.workspaceMounted()).isTrue();
    }

    @Test
    void execGivesOutputAndStatus() throws Exception {
        ExecOutput output = client.exec(ExecSpec.of("sh", "-c", "cat; echo \"$X\" >&2; pwd; exit 9")
                .withStdin("body".getBytes(StandardCharsets.UTF_8))
                .withEnvironment(Map.of("X", "a\nb"))
                .withWorkingDirectory("/usr"));
        assertThat(new String(output.stdout(), StandardCharsets.UTF_8)).isEqualTo("body/usr\n");
        assertThat(new String(output.stderr(), StandardCharsets.UTF_8)).isEqualTo("a\nb\n");
        assertThat(output.exitCode()).isEqualTo(9);
    }

    @Test
    void refusalsAreToldApart() {
        assertThat(reason(ExecSpec.of())).isEqualTo(Reason.INVALID);
        assertThat(reason(ExecSpec.of("no-such-program"))).isEqualTo(Reason.NOT_FOUND);
        assertThat(reason(ExecSpec.of("true").withUid(0))).isEqualTo(Reason.DENIED);
        assertThat(reason(ExecSpec.of("true").withWorkingDirectory("/no/such"))).isEqualTo(Reason.INVALID);
        assertThat(reason(ExecSpec.of("head", "-c", "9000000", "/dev/zero"))).isEqualTo(Reason.LIMIT);
        assertThat(catchThrowableOfType(
                                CommandException.class,
                                () -> client.execStreaming(StreamingExecSpec.of("no-such-program")))
                        .reason())
                .isEqualTo(Reason.NOT_FOUND);
    }

    @Test
    void aTimeoutHasItsOwnType() {
        assertThatThrownBy(() -> client.exec(ExecSpec.of("sleep", "3904").withTimeout(Duration.ofSeconds(1))))
                .isInstanceOf(CommandTimeoutException.class);
        awaitRunning(false, "3904");
    }

    /** Whether anybody sleeps for so many seconds. */
    private static void awaitRunning(boolean expected, String seconds) {
        long start = System.nanoTime();
        while (expected != isSleeping(seconds)) {
            assertThat(System.nanoTime() - start).isLessThan(BOUND.toNanos());
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    private static boolean isSleeping(String seconds) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info()
                        .arguments()
                        .filter(arguments -> Arrays.equals(arguments, new String[] {seconds}))
                        .isPresent());
    }

    @Test
    void anInterruptedExecIsCancelled() throws Exception {
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            try {
                end.completeExceptionally(new AssertionError(
                        "exit " + client.exec(ExecSpec.of("sleep", "3901")).exitCode()));
            } catch (IOException | InterruptedException e) {
                end.complete(e);
            }
        });
        awaitRunning(true, "3901");
        caller.interrupt();
        assertThat(end.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        awaitRunning(false, "3901");
    }

    @Test
    void largeInputArrivesWhole() throws Exception {
        byte[] bytes = new byte[1_500_000];
        new Random(11).nextBytes(bytes);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        try (StreamingExec exec = stream("sha256sum")) {
            exec.stdin().write(bytes);
            exec.stdin().close();
            assertThat(text(exec.stdout())).startsWith(hash);
            assertThat(exec.child().waitFor()).isZero();
        }
    }

    @Test
    void bothOutputsEndWithTheCommand() throws Exception {
        try (StreamingExec exec = stream("printf out; printf err >&2; exit 3")) {
            assertThat(text(exec.stdout())).isEqualTo("out");
            assertThat(text(exec.stderr())).isEqualTo("err");
            assertThat(exec.child().waitFor()).isEqualTo(3);
            assertThat(exec.child().waitFor()).isEqualTo(3);
        }
    }

    @Test
    void aDialogueGoesToAndFro() throws Exception {
        try (StreamingExec exec = stream("while read line; do echo \"<$line>\"; done; echo end")) {
            for (String word : new String[] {"one", "two", "three"}) {
                exec.stdin().write((word + "\n").getBytes(StandardCharsets.UTF_8));
                byte[] answer = exec.stdout().readNBytes(word.length() + 3);
                assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("<" + word + ">\n");
            }
            exec.stdin().close();
            assertThat(text(exec.stdout())).isEqualTo("end\n");
        }
    }

    @Test
    void moreOutputThanAnyBufferHoldsWaitsForItsReader() throws Exception {
        try (StreamingExec exec = stream("head -c 20000000 /dev/zero; exit 2")) {
            long total = 0;
            byte[] buffer = new byte[8_192];
            for (int count = exec.stdout().read(buffer);
                    count >= 0;
                    count = exec.stdout().read(buffer)) {
                total += count;
            }
            assertThat(total).isEqualTo(20_000_000);
            assertThat(exec.child().waitFor()).isEqualTo(2);
        }
    }

    @Test
    void anOutputThatIsClosedHoldsUpNobody() throws Exception {
        try (StreamingExec exec = stream("head -c 20000000 /dev/zero; printf done >&2")) {
            exec.stdout().close();
            assertThat(text(exec.stderr())).isEqualTo("done");
            assertThat(exec.child().waitFor()).isZero();
        }
    }

    @Test
    void killIsToldByItsSignalAndMayBeRepeated() throws Exception {
        try (StreamingExec exec = stream("echo ready; sleep 3902")) {
            assertThat(exec.stdout().readNBytes(6)).hasSize(6);
            exec.child().kill();
            exec.child().kill();
            ExitStatusException end = catchThrowableOfType(
                    ExitStatusException.class, () -> exec.child().waitFor());
            assertThat(end.signal()).isEqualTo(9);
            assertThat(end.code()).isEqualTo(137);
            assertThat(end.isDeliberateKill()).isTrue();
            exec.child().kill();
            exec.child().terminate();
            assertThatThrownBy(() -> exec.child().waitFor()).isInstanceOf(ExitStatusException.class);
        }
    }

    @Test
    void killEndsACommandWhoseOutputNobodyReads() throws Exception {
        try (StreamingExec exec = stream("yes 3903")) {
            exec.child().kill();
            assertThatThrownBy(() -> exec.child().waitFor()).isInstanceOf(ExitStatusException.class);
        }
    }

    @Test
    void aSignalOfAnotherKindIsNoDeliberateKill() throws Exception {
        try (StreamingExec exec = stream("kill -USR1 $$")) {
            ExitStatusException end = catchThrowableOfType(
                    ExitStatusException.class, () -> exec.child().waitFor());
            assertThat(end.signal()).isEqualTo(10);
            assertThat(end.isDeliberateKill()).isFalse();
        }
    }

    @Test
    void terminateAsks() throws Exception {
        try (StreamingExec exec = stream("trap 'exit 21' TERM; echo set; while :; do sleep 0.05; done")) {
            assertThat(exec.stdout().readNBytes(4)).hasSize(4);
            exec.child().terminate();
            assertThat(exec.child().waitFor()).isEqualTo(21);
        }
    }

    @Test
    void killAfterTheExitChangesNothing() throws Exception {
        try (StreamingExec exec = stream("exit 5")) {
            assertThat(exec.child().waitFor()).isEqualTo(5);
            exec.child().kill();
            assertThat(exec.child().waitFor()).isEqualTo(5);
        }
    }

    @Test
    void writingToACommandThatHasEndedFails() throws Exception {
        try (StreamingExec exec = stream("exit 0")) {
            OutputStream stdin = exec.stdin();
            assertThat(exec.child().waitFor()).isZero();
            assertThatThrownBy(() -> stdin.write(new byte[10])).isInstanceOf(IOException.class);
            stdin.close();
        }
    }

    @Test
    void aClosedClientFailsItsCommands() throws Exception {
        GuestClient other = GuestClient.of(new GuestAddress.UnixSocket(supervisor.socket()), loop);
        StreamingExec exec = other.execStreaming(StreamingExecSpec.of("cat"));
        other.close();
        assertThatThrownBy(() -> exec.child().waitFor()).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> exec.stdout().read()).isInstanceOf(CommandException.class);
    }

    @Test
    void aGuestThatHangsIsATransportFailure() throws Exception {
        Path own = Files.createDirectory(directory.resolve("hung"));
        try (SupervisorProcess hung = SupervisorProcess.start(own);
                GuestClient caller = GuestClient.of(
                        new GuestAddress.UnixSocket(hung.socket()),
                        loop,
                        new KeepAlive(SHORTEST, Duration.ofSeconds(1)))) {
            caller.provision(SupervisorProcess.UID, Map.of("PATH", "/usr/bin:/bin"));
            StreamingExec exec = caller.execStreaming(StreamingExecSpec.of("cat"));
            signal(hung, "STOP");
            try {
                assertThat(catchThrowableOfType(
                                        CommandException.class,
                                        () -> exec.child().waitFor())
                                .reason())
                        .isEqualTo(Reason.TRANSPORT);
            } finally {
                signal(hung, "CONT");
            }
        }
    }

    private static void signal(SupervisorProcess process, String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Test
    void aGuestThatIsNotThereIsATransportFailure() throws Exception {
        try (GuestClient nobody = GuestClient.of(new GuestAddress.UnixSocket(directory.resolve("none")), loop)) {
            assertThat(catchThrowableOfType(CommandException.class, () -> nobody.health(BOUND))
                            .reason())
                    .isEqualTo(Reason.TRANSPORT);
        }
    }
}

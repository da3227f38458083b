package io.carlos.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.container.microvm.Guest;
import io.carlos.model.testing.SupervisorProcess;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client against a real supervisor that is a process of this machine. How commands run is the contract of runtimes,
 * which is held to with this client.
 */
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
    void aTimeoutLongerThanAnyIsNone() throws Exception {
        assertThat(client.exec(ExecSpec.of("true").withTimeout(ChronoUnit.FOREVER.getDuration()))
                        .exitCode())
                .isZero();
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

package io.carlos.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ExecSpec;
import io.carlos.model.testing.Seeded;
import io.carlos.model.testing.SupervisorProcess;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections through the socket of a virtual machine's monitor. */
@Timeout(120)
class HybridVsockTest {
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final int PORT = 1024;

    @TempDir
    private static Path directory;

    private static final AtomicInteger sockets = new AtomicInteger();
    private static EventLoopGroup loop;
    private static SupervisorProcess supervisor;

    @BeforeAll
    static void startSupervisor() throws Exception {
        loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        supervisor = SupervisorProcess.start(directory);
        try (GuestClient client = GuestClient.of(new GuestAddress.UnixSocket(supervisor.socket()), loop)) {
            client.provision(SupervisorProcess.UID, Map.of("PATH", "/usr/bin:/bin"));
        }
    }

    @AfterAll
    static void stopSupervisor() throws Exception {
        supervisor.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
    }

    private static Path newSocket() {
        return directory.resolve("front-" + sockets.incrementAndGet());
    }

    private static GuestClient client(Path socket) {
        return GuestClient.of(new GuestAddress.HybridVsock(socket, PORT), loop);
    }

    private static void assertServed(byte[]... answer) throws Exception {
        Path socket = newSocket();
        try (VsockFront front = VsockFront.start(socket, supervisor.socket(), answer);
                GuestClient client = client(socket)) {
            assertThat(client.exec(ExecSpec.of("echo", "through").withTimeout(BOUND))
                            .stdout())
                    .isEqualTo("through\n".getBytes(StandardCharsets.UTF_8));
            assertThat(front.request()).isEqualTo("CONNECT 1024\n");
        }
    }

    private static CommandException refused(byte[]... answer) throws Exception {
        Path socket = newSocket();
        try (VsockFront front = VsockFront.start(socket, null, answer);
                GuestClient client = client(socket)) {
            CommandException refusal = catchThrowableOfType(CommandException.class, () -> client.health(BOUND));
            assertThat(front.request()).isEqualTo("CONNECT 1024\n");
            return refusal;
        }
    }

    @Test
    void anAcceptedConnectionIsServed() throws Exception {
        assertServed(VsockFront.bytes("OK 1073741824\n"));
    }

    @Test
    void anAnswerInPiecesIsPutTogether() throws Exception {
        assertServed(VsockFront.bytes("O"), VsockFront.bytes("K 7"), VsockFront.bytes("\n"));
    }

    @Test
    void theEndBeforeAnAnswerIsATransportFailure() throws Exception {
        assertThat(refused().reason()).isEqualTo(Reason.TRANSPORT);
        assertThat(refused(VsockFront.bytes("OK 1")).reason()).isEqualTo(Reason.TRANSPORT);
    }

    @Test
    void anotherAnswerIsATransportFailureThatShowsIt() throws Exception {
        CommandException refusal = refused(VsockFront.bytes("NO\u0007 such port\n"));
        assertThat(refusal.reason()).isEqualTo(Reason.TRANSPORT);
        assertThat(refusal).hasStackTraceContaining("\"NO? such port\"");
    }

    @Test
    void anAnswerWithoutAnEndIsCutOff() throws Exception {
        assertThat(refused(VsockFront.bytes("OK 1".repeat(1_000))).reason()).isEqualTo(Reason.TRANSPORT);
    }

    @Test
    void noAnswerInTimeClosesTheConnection() {
        EmbeddedChannel channel = new EmbeddedChannel(new HybridVsockHandshake(1024, Duration.ofSeconds(5)));
        channel.advanceTimeBy(6, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        assertThatThrownBy(channel::checkException)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("port 1024", "nothing for 5000 ms");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void anAnswerInTimeKeepsTheConnection() {
        EmbeddedChannel channel = new EmbeddedChannel(new HybridVsockHandshake(1024, Duration.ofSeconds(5)));
        channel.writeInbound(Unpooled.copiedBuffer("OK 7\n", StandardCharsets.US_ASCII));
        channel.advanceTimeBy(6, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        channel.checkException();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void anyGarbageIsATransportFailure() {
        Seeded.check(50, random -> {
            byte[] garbage = new byte[random.nextInt(200)];
            random.nextBytes(garbage);
            assertThat(refused(garbage).reason()).isEqualTo(Reason.TRANSPORT);
        });
    }
}

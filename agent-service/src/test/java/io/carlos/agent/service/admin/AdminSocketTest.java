package io.carlos.agent.service.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.PeerCredentials;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Who gets an answer on the socket, and whose place it takes. */
@Timeout(60)
class AdminSocketTest {
    private static final ByteBuffer REQUEST =
            ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

    private final AtomicInteger answered = new AtomicInteger();

    @TempDir
    private Path directory;

    @Test
    void aPeerThatIsAdmittedIsAnswered() throws Exception {
        DisposableServer server = serve(AdminSocket.operators());
        try {
            assertThat(ask()).startsWith("HTTP/1.1 200");
        } finally {
            server.disposeNow();
        }
    }

    @Test
    void aPeerThatIsNotAdmittedGetsNoByteAndIsNotRead() throws Exception {
        DisposableServer server = serve(any -> false);
        try {
            assertThat(ask()).isEmpty();
            assertThat(answered).hasValue(0);
        } finally {
            server.disposeNow();
        }
    }

    @Test
    void theUserOfTheProcessAndRootAreOperatorsAndOthersAreNot() throws Exception {
        int own = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        Predicate<PeerCredentials> operators = AdminSocket.operators();

        assertThat(operators.test(new PeerCredentials(1, own, 0))).isTrue();
        assertThat(operators.test(new PeerCredentials(1, 0, 0))).isTrue();
        assertThat(operators.test(new PeerCredentials(1, own + 1, 0))).isFalse();
    }

    @Test
    void theSocketOfAnEarlierProcessIsReplaced() throws Exception {
        ServerSocketChannel earlier = listen();
        earlier.close();
        assertThat(path()).exists();

        DisposableServer server = serve(any -> true);
        try {
            assertThat(ask()).startsWith("HTTP/1.1 200");
        } finally {
            server.disposeNow();
        }
    }

    @Test
    void aSocketOnWhichSomebodyListensStays() throws Exception {
        try (ServerSocketChannel _ = listen()) {
            assertThatThrownBy(() -> serve(any -> true)).hasStackTraceContaining("another process listens on it");
            assertThat(path()).exists();
        }
    }

    @Test
    void aFileInThePlaceOfTheSocketStays() throws Exception {
        Files.createDirectories(
                path().getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(path(), "precious");

        assertThatThrownBy(() -> serve(any -> true)).hasStackTraceContaining("expected a socket or nothing");
        assertThat(path()).hasContent("precious");
    }

    @Test
    void aDirectoryThatOthersMayEnterIsRefused() throws Exception {
        Files.createDirectories(
                path().getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x---")));

        assertThatThrownBy(() -> serve(any -> true)).hasStackTraceContaining("has mode rwx--x---");
    }

    private Path path() {
        return directory.resolve("agent/agent.sock");
    }

    private ServerSocketChannel listen() throws IOException {
        Files.createDirectories(
                path().getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path()));
    }

    private DisposableServer serve(Predicate<PeerCredentials> admitted) {
        return new AdminSocket(path(), admitted)
                .listen(HttpServer.create().handle((request, response) -> {
                    answered.incrementAndGet();
                    return response.sendString(Mono.just("hello"));
                }))
                .bindNow();
    }

    /** @return what came until the first pause of the other end, or nothing when it closed the connection */
    private String ask() throws IOException {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path()))) {
            client.write(REQUEST.duplicate());
            ByteBuffer answer = ByteBuffer.allocate(1024);
            client.read(answer);
            return new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return ""; // reset, with what was sent unread
        }
    }
}

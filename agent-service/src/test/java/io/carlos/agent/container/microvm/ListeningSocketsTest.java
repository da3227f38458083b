package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListeningSocketsTest {
    @TempDir
    private Path directory;

    @Test
    void socketThatListensIsFoundAndNotConnectedTo() throws Exception {
        Path socket = directory.resolve("söcket with spaces");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(socket));
            assertThat(ListeningSockets.contains(socket)).isTrue();
            listener.configureBlocking(false);
            assertThat(listener.accept()).isNull();
        }
    }

    @Test
    void socketThatIsOnlyBoundIsNot() throws Exception {
        Path socket = directory.resolve("bound");
        try (SocketChannel bound = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            bound.bind(UnixDomainSocketAddress.of(socket));
            assertThat(Files.exists(socket)).isTrue();
            assertThat(ListeningSockets.contains(socket)).isFalse();
        }
    }

    @Test
    void fileOfASocketThatWasClosedIsNot() throws Exception {
        Path socket = directory.resolve("closed");
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        listener.close();
        assertThat(ListeningSockets.contains(socket)).isFalse();
    }

    @Test
    void pathThatOnlyEndsLikeItIsNot() throws Exception {
        Path other = Files.createDirectory(directory.resolve("x"));
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(other.resolve("fs")));
            assertThat(ListeningSockets.contains(Path.of("/x/fs"))).isFalse();
        }
    }
}

package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListeningSocketsTest {
    /** No process has so great a number. */
    private static final int NOBODY = Integer.MAX_VALUE;

    /** Listens in a network of its own, says so, and ends with its input. */
    private static final String ELSEWHERE = """
            unshare --user --map-root-user --net perl -MSocket -e '
              socket(S, AF_UNIX, SOCK_STREAM, 0) && bind(S, pack_sockaddr_un($ARGV[0])) && listen(S, 1) or die $!;
              $| = 1; print "listens\n"; <STDIN>' "$0"
            exit $?
            """;

    @TempDir
    private Path directory;

    @Test
    void socketThatListensIsFoundAndNotConnectedTo() throws Exception {
        Path socket = directory.resolve("söcket with spaces");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(socket));
            assertThat(ListeningSockets.contains(socket, NOBODY)).isTrue();
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
            assertThat(ListeningSockets.contains(socket, NOBODY)).isFalse();
        }
    }

    @Test
    void fileOfASocketThatWasClosedIsNot() throws Exception {
        Path socket = directory.resolve("closed");
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        listener.close();
        assertThat(ListeningSockets.contains(socket, NOBODY)).isFalse();
    }

    @Test
    void pathThatOnlyEndsLikeItIsNot() throws Exception {
        Path other = Files.createDirectory(directory.resolve("x"));
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(other.resolve("fs")));
            assertThat(ListeningSockets.contains(Path.of("/x/fs"), NOBODY)).isFalse();
        }
    }

    @Test
    void socketOfAProgramsChildInAnotherNetworkIsFoundByTheProgram() throws Exception {
        Path socket = directory.resolve("elsewhere");
        Process program = new ProcessBuilder("/bin/sh", "-c", ELSEWHERE, socket.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = program.inputReader()) {
            assertThat(said.readLine()).isEqualTo("listens");

            assertThat(ListeningSockets.contains(socket, NOBODY)).isFalse();
            assertThat(ListeningSockets.contains(socket, Math.toIntExact(program.pid())))
                    .isTrue();
        } finally {
            program.getOutputStream().close();
            program.waitFor();
        }
    }
}

package io.carlos.model.linux;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A peer that connects and ends at once, so that its number may be another process's when it is asked for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndedPeerTest {
    private static final LinuxTestCalls LIBC = LinuxTestCalls.LIBC;

    @TempDir
    Path path;

    /** The peer, in a process of its own. */
    public static final class Peer {
        private Peer() {}

        /** Connects to the socket at the path and ends. */
        public static void main(String[] arguments) throws IOException {
            SocketChannel.open(UnixDomainSocketAddress.of(arguments[0])).close();
        }
    }

    @Test
    void peerThatHasEndedIsNeverTakenForAlive() throws Exception {
        Path socketPath = path.resolve("s");
        int listener = LIBC.socket(LinuxTestCalls.AF_UNIX, LinuxTestCalls.SOCK_STREAM, 0);
        byte[] address = socketAddress(socketPath);
        assertThat(LIBC.bind(listener, address, address.length)).isZero();
        assertThat(LIBC.listen(listener, 1)).isZero();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Peer.class.getName(),
                        socketPath.toString())
                .inheritIO()
                .start();
        int peer = LIBC.accept(listener, null, null);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        try {
            assertThat(PeerCredentials.of(peer).pid()).isEqualTo(Math.toIntExact(process.pid()));
            if (PidFd.ofPeer(peer) instanceof PidFd.Peer.Held(PidFd pidFd)) {
                assertThat(pidFd.isAlive()).isFalse();
                assertThat(pidFd.pid()).isEmpty();
                pidFd.close();
            }
        } finally {
            LIBC.close(peer);
            LIBC.close(listener);
            process.destroyForcibly();
        }
    }

    /** A {@code struct sockaddr_un}. */
    private static byte[] socketAddress(Path path) {
        byte[] name = path.toString().getBytes(UTF_8);
        return ByteBuffer.allocate(Short.BYTES + name.length + 1)
                .order(ByteOrder.nativeOrder())
                .putShort((short) LinuxTestCalls.AF_UNIX)
                .put(name)
                .array();
    }
}

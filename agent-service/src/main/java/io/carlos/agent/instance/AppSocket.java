package io.carlos.agent.instance;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The socket that an instance's program serves on. */
final class AppSocket {
    private AppSocket() {}

    /** Whether a connection is accepted right now; it is closed again at once, and nothing waits. */
    static boolean accepts(Path path) {
        try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // A program that does not accept has a full backlog at some time, and a blocking connect would wait for it.
            connection.configureBlocking(false);
            return connection.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            return false;
        }
    }
}

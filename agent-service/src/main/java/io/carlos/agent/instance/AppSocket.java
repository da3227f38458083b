package io.carlos.agent.instance;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The socket that an instance's program serves on. */
final class AppSocket {
    private AppSocket() {}

    /**
     * Whether a program listens there and has room for a connection, which is closed again at once; nothing waits. Whether the program
     * ever accepts one is not seen from outside.
     */
    static boolean takesConnections(Path path) {
        try (SocketChannel connection = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // A program that does not accept has a full backlog at some time, and a blocking connect would wait for it.
            connection.configureBlocking(false);
            return connection.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            return false;
        }
    }
}

package io.carlos.deploy.inside;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Stands in for the cloud's metadata service, at its addresses, until it is closed: without it there is nobody to be kept
 * from, and no route that a packet could take past the filter.
 */
final class MetadataService implements AutoCloseable {
    private static final String IPV4 = "169.254.169.254";
    private static final String IPV6 = "fd00:ec2::254";
    private static final int PORT = 80;
    private static final int BACKLOG = 50;

    private final ServerSocket listener;

    /** Connections are answered by the kernel, and never taken. */
    MetadataService() throws IOException {
        Command.of("ip", "address", "replace", IPV4 + "/32", "dev", "lo").output();
        Command.of("ip", "address", "replace", IPV6 + "/128", "dev", "lo", "nodad")
                .output();
        listener = new ServerSocket(PORT, BACKLOG, InetAddress.getByName(IPV4));
    }

    @Override
    public void close() throws IOException {
        listener.close();
        Command.of("ip", "address", "delete", IPV4 + "/32", "dev", "lo").output();
        Command.of("ip", "address", "delete", IPV6 + "/128", "dev", "lo").output();
    }
}

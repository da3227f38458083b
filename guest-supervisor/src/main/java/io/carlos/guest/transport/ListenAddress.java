package io.carlos.guest.transport;

import java.nio.file.Path;

/** Where a supervisor listens: {@code unix:/path/of/a/socket} or {@code vsock:port}. */
public sealed interface ListenAddress {
    /** @param path absolute; nothing stands there yet */
    record Unix(Path path) implements ListenAddress {}

    /** @param port unsigned */
    record Vsock(int port) implements ListenAddress {}

    /** @throws IllegalArgumentException when it is neither */
    static ListenAddress parse(String text) {
        String[] parts = text.split(":", 2);
        if (parts.length == 2 && parts[0].equals("unix") && parts[1].startsWith("/")) {
            return new Unix(Path.of(parts[1]));
        }
        if (parts.length == 2 && parts[0].equals("vsock") && parts[1].matches("[1-9][0-9]{0,8}")) {
            return new Vsock(Integer.parseInt(parts[1]));
        }
        throw new IllegalArgumentException(
                "listen address \"" + text + "\": expected unix:/absolute/path or vsock:port, with a port from 1");
    }
}

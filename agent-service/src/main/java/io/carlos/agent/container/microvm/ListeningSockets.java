package io.carlos.agent.container.microvm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Who listens, as the kernel knows it. A connection would tell too, but some programs serve only one and end after it; a
 * socket's file is there already when nobody can connect yet.
 */
final class ListeningSockets {
    private static final Path UNIX_SOCKETS = Path.of("/proc/net/unix");

    /** {@code SO_ACCEPTCON}, as {@code /proc/net/unix} has it in the column {@code Flags}. */
    private static final String LISTENS = " 00010000 ";

    private ListeningSockets() {}

    /** @param socket by the very path that it was bound to */
    static boolean contains(Path socket) throws IOException {
        String end = " " + socket;
        // A path may have any bytes.
        try (Stream<String> lines = Files.lines(UNIX_SOCKETS, StandardCharsets.ISO_8859_1)) {
            String bytes = new String(end.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            return lines.anyMatch(line -> line.endsWith(bytes) && line.contains(LISTENS));
        }
    }
}

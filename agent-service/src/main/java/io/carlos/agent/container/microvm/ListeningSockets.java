package io.carlos.agent.container.microvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Who listens, as the kernel knows it. A connection would tell too, but some programs serve only one and end after it; a
 * socket's file is there already when nobody can connect yet.
 */
final class ListeningSockets {
    private static final Pattern BLANK = Pattern.compile(" ");

    /** {@code SO_ACCEPTCON}, as {@code /proc/net/unix} has it in the column {@code Flags}. */
    private static final String LISTENS = " 00010000 ";

    private ListeningSockets() {}

    /**
     * Whether somebody listens in this process's network, or in that of a program which another one was started to start.
     *
     * @param socket by the very path that it was bound to
     * @param parent the other one's process, which may have ended
     */
    static boolean contains(Path socket, int parent) throws IOException {
        if (isIn(Path.of("/proc/net/unix"), socket)) {
            return true;
        }
        for (String child : children(parent)) {
            if (isIn(Path.of("/proc", child, "net/unix"), socket)) {
                return true;
            }
        }
        return false;
    }

    private static String[] children(int parent) {
        String process = Integer.toString(parent);
        try {
            String children = Files.readString(Path.of("/proc", process, "task", process, "children"));
            return BLANK.splitAsStream(children.strip())
                    .filter(child -> !child.isEmpty())
                    .toArray(String[]::new);
        } catch (IOException e) {
            return new String[0]; // It has ended, also in the midst of the reading; whoever asks looks for that.
        }
    }

    private static boolean isIn(Path sockets, Path socket) throws IOException {
        String end = " " + socket;
        // A path may have any bytes.
        try (Stream<String> lines = Files.lines(sockets, StandardCharsets.ISO_8859_1)) {
            String bytes = new String(end.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            return lines.anyMatch(line -> line.endsWith(bytes) && line.contains(LISTENS));
        } catch (NoSuchFileException | UncheckedIOException e) {
            return false; // The process has ended, which may be in the midst of the reading.
        }
    }
}

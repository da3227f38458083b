package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.FileCalls;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files of the kernel's that are read line by line. */
final class Lines {
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private Lines() {}

    /** The lines of a file. */
    static List<String> of(Syscalls calls, String path) {
        byte[] bytes = new Files(calls).read(FileCalls.WORKING_DIRECTORY, path, OpenMode.READ_THROUGH_LINKS, MAX_BYTES);
        // One character a byte: a name on the box need not be UTF-8.
        return split(new String(bytes, StandardCharsets.ISO_8859_1), '\n');
    }

    /** What follows the prefix in the one line that starts with it, or null. */
    static @Nullable String find(List<String> lines, String prefix) {
        for (String line : lines) {
            if (line.startsWith(prefix)) {
                return line.substring(prefix.length()).trim();
            }
        }
        return null;
    }

    /** The parts that are not empty. */
    static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf(separator, start);
            end = end < 0 ? text.length() : end;
            if (end > start) {
                parts.add(text.substring(start, end));
            }
            start = end + 1;
        }
        return parts;
    }
}

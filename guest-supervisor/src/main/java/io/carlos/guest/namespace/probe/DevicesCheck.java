package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.DirectoryEntry;
import io.carlos.guest.namespace.calls.Syscalls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** There is no device but the harmless ones of a private {@code /dev}. */
final class DevicesCheck implements ProbeCheck {
    private static final List<String> HARMLESS =
            List.of("/dev/full", "/dev/null", "/dev/ptmx", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero");
    private static final int MAX_DEPTH = 4;

    private final Syscalls calls;
    private boolean sawNull;

    DevicesCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "devices";
    }

    @Override
    public Finding check() {
        String other = findOther("/dev", 1);
        if (other != null) {
            return Finding.fail("there is the device " + other);
        }
        return sawNull
                ? Finding.ok("/dev has the harmless devices only")
                : Finding.fail("/dev does not show /dev/null as a device either, so it proves nothing");
    }

    private @Nullable String findOther(String directory, int depth) {
        for (DirectoryEntry entry : DirectoryEntry.list(calls, directory)) {
            String path = directory + "/" + entry.name();
            sawNull |= path.equals("/dev/null") && entry.device();
            String other = null;
            if (entry.device()) {
                // Terminals belong to whoever opened them, and /dev/pts is the same everywhere.
                other = HARMLESS.contains(path) || path.startsWith("/dev/pts/") ? null : path;
            } else if (entry.directory() && depth < MAX_DEPTH) {
                other = findOther(path, depth + 1);
            }
            if (other != null) {
                return other;
            }
        }
        return null;
    }
}

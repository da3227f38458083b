package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.DirectoryEntry;
import io.carlos.guest.namespace.calls.Syscalls;
import java.util.List;

/** Nothing of what the box's services keep is in sight. */
final class EmptyDirectoriesCheck implements ProbeCheck {
    private static final List<String> EMPTY = List.of("/var/cache", "/var/lib");

    private final Syscalls calls;

    EmptyDirectoriesCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "var-empty";
    }

    @Override
    public Finding check() {
        for (String directory : EMPTY) {
            List<DirectoryEntry> entries = DirectoryEntry.list(calls, directory);
            if (!entries.isEmpty()) {
                return Finding.fail(directory + " holds " + entries.get(0).name() + ", expected nothing");
            }
        }
        return Finding.ok("/var/cache and /var/lib are empty");
    }
}

package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;
import java.util.List;

/** The box's own directories take no new file, and would not if file modes let them. */
final class ReadOnlySystemCheck implements ProbeCheck {
    private static final List<String> DIRECTORIES = List.of("/", "/usr", "/etc", "/run");
    private static final String NAME = ".carlos-probe";

    private final Syscalls calls;
    private final String own;

    /** @param own a directory that can be written to */
    ReadOnlySystemCheck(Syscalls calls, String own) {
        this.calls = calls;
        this.own = own;
    }

    @Override
    public String name() {
        return "system-read-only";
    }

    @Override
    public Finding check() {
        int control = tryToCreate(own);
        if (control < 0) {
            return Finding.fail(
                    "the own directory takes no file either, so it proves nothing: " + calls.describe(-control));
        }
        Mounts mounts = Mounts.read(calls);
        for (String directory : DIRECTORIES) {
            int created = tryToCreate(directory);
            if (created != -Errno.EROFS && !Refusals.isDenied(created)) {
                return Finding.fail("a file in " + directory + ": " + Refusals.describe(calls, created));
            }
            if (!mounts.hasOption(directory, "ro")) {
                return Finding.fail(directory + " is not on a read-only mount");
            }
        }
        return Finding.ok("no file can be made in " + DIRECTORIES);
    }

    private int tryToCreate(String directory) {
        Files files = new Files(calls);
        int parent = files.openDirectory(directory);
        try {
            int descriptor = calls.open(parent, NAME, OpenMode.CREATE);
            if (descriptor >= 0) {
                calls.close(descriptor);
                calls.unlink(parent, NAME);
            }
            return Math.min(descriptor, 0);
        } finally {
            calls.close(parent);
        }
    }
}

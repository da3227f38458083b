package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.OpenMode;
import io.carlos.guest.namespace.calls.Syscalls;

/** A link that a tenant puts into its own directories leads nowhere. */
final class PlantedLinkCheck implements ProbeCheck {
    private static final String TARGET = "/proc/self/status";
    private static final String LINK = ".planted-link";

    private final Syscalls calls;
    private final String[] directories;

    PlantedLinkCheck(Syscalls calls, String... directories) {
        this.calls = calls;
        this.directories = directories;
    }

    @Override
    public String name() {
        return "symlink-eloop";
    }

    @Override
    public Finding check() {
        Files files = new Files(calls);
        int target = files.tryOpen(TARGET, OpenMode.READ_THROUGH_LINKS);
        if (target < 0) {
            return Finding.fail(TARGET + " cannot be opened, so it proves nothing: " + calls.describe(-target));
        }
        for (String directory : directories) {
            int opened = openThroughLink(files, directory);
            if (opened != -Errno.ELOOP) {
                return Finding.fail("opening through a link in " + directory + ": " + Refusals.describe(calls, opened)
                        + ", expected ELOOP");
            }
        }
        return Finding.ok("links in the own directories are not followed");
    }

    private int openThroughLink(Files files, String directory) {
        int descriptor = files.openDirectory(directory);
        try {
            calls.unlink(descriptor, LINK);
            CallFailedException.check(calls, "link in " + directory, calls.symlink(TARGET, descriptor, LINK));
            int opened = files.tryOpen(directory + "/" + LINK, OpenMode.READ_THROUGH_LINKS);
            calls.unlink(descriptor, LINK);
            return opened;
        } finally {
            calls.close(descriptor);
        }
    }
}

package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.DirectoryEntry;
import io.carlos.guest.namespace.calls.Files;
import io.carlos.guest.namespace.calls.Syscalls;

/** Nothing is open but the three standard streams: an inherited descriptor would be a way around every mount. */
final class OpenDescriptorsCheck implements ProbeCheck {
    private static final String DIRECTORY = "/proc/self/fd";

    private final Syscalls calls;

    OpenDescriptorsCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "open-descriptors";
    }

    @Override
    public Finding check() {
        int listing = new Files(calls).openDirectory(DIRECTORY);
        try {
            int streams = 0;
            boolean sawItself = false;
            for (DirectoryEntry entry : DirectoryEntry.list(calls, DIRECTORY, listing)) {
                String name = entry.name();
                if (name.equals("0") || name.equals("1") || name.equals("2")) {
                    streams++;
                } else if (name.equals(Integer.toString(listing))) {
                    sawItself = true;
                } else {
                    return Finding.fail("descriptor " + name + " is open");
                }
            }
            return streams == 3 && sawItself
                    ? Finding.ok("0, 1 and 2 are open and no other")
                    : Finding.fail(DIRECTORY + " does not show what is certainly open, so it proves nothing");
        } finally {
            calls.close(listing);
        }
    }
}

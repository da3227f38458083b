package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.FileCalls;
import io.carlos.guest.namespace.calls.Syscalls;

/** Control groups can be looked at and not changed, whoever asks. */
final class ReadOnlyControlGroupsCheck implements ProbeCheck {
    private static final String FILE = "/sys/fs/cgroup/cgroup.procs";

    private final Syscalls calls;

    ReadOnlyControlGroupsCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "cgroup-ro";
    }

    @Override
    public Finding check() {
        int readable = calls.access(FILE, FileCalls.READABLE);
        if (readable < 0) {
            return Finding.fail(FILE + " cannot be read, so it proves nothing: " + calls.describe(-readable));
        }
        int writable = calls.access(FILE, FileCalls.WRITABLE);
        if (writable != -Errno.EROFS && writable != -Errno.EACCES) {
            return Finding.fail("writing to " + FILE + ": " + Refusals.describe(calls, writable));
        }
        // Without root's rights the answer is the same on a mount that can be written to.
        if (!Mounts.read(calls).hasOption(FILE, "ro")) {
            return Finding.fail(FILE + " is not on a read-only mount");
        }
        return Finding.ok("writing is refused and the mount is read-only");
    }
}

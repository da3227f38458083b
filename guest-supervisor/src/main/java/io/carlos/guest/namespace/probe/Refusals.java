package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Syscalls;

/** How the kernel refuses. */
final class Refusals {
    private Refusals() {}

    /** Whether a result says that the caller has no right to it, rather than that it failed for another reason. */
    static boolean isDenied(int result) {
        return result == -Errno.EPERM || result == -Errno.EACCES;
    }

    /** A call's result for people. */
    static String describe(Syscalls calls, int result) {
        return result < 0 ? calls.describe(-result) : "it worked";
    }
}

package io.carlos.guest.namespace.trampoline;

import io.carlos.guest.namespace.calls.Signals;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.guest.namespace.calls.WaitStatus;

/** Stays with a command until it ends: forwards signals to it, and reaps whatever else ends meanwhile. */
final class ChildSupervisor {
    private final Syscalls calls;

    ChildSupervisor(Syscalls calls) {
        this.calls = calls;
    }

    /** Waits for the child's end. All signals are blocked. */
    WaitStatus supervise(int child) {
        int[] status = new int[1];
        // Nothing below is allocated: a namespace whose process 1 runs out of memory ends without a status.
        while (!hasEnded(child, status)) {
            int signal = calls.awaitSignal();
            if (isForwarded(signal)) {
                calls.kill(child, signal);
            }
        }
        return new WaitStatus(status[0]);
    }

    /** One SIGCHLD may stand for many children, and for one that ended before the first wait. */
    private boolean hasEnded(int child, int[] status) {
        while (true) {
            int ended = calls.reap(status);
            if (ended == child) {
                return true;
            }
            if (ended <= 0) {
                return false;
            }
        }
    }

    /** A SIGPIPE is this process's own: it wrote its line to a stderr that nobody reads any more. */
    private static boolean isForwarded(int signal) {
        return signal > 0 && signal != Signals.CHLD && signal != Signals.PIPE;
    }
}

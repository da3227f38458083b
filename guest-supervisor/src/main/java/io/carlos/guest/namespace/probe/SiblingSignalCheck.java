package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.Errno;
import io.carlos.guest.namespace.calls.Syscalls;

/** There is no process that a signal would reach, except those that this one started. */
final class SiblingSignalCheck implements ProbeCheck {
    /** To {@code kill}: every process but the caller and process 1. The call fails only when there is none. */
    private static final int EVERY_OTHER = -1;

    private static final int NO_SIGNAL = 0;

    private final Syscalls calls;

    SiblingSignalCheck(Syscalls calls) {
        this.calls = calls;
    }

    @Override
    public String name() {
        return "siblings";
    }

    @Override
    public Finding check() {
        int alone = calls.kill(EVERY_OTHER, NO_SIGNAL);
        int together = signalWithChild();
        if (together < 0) {
            return Finding.fail(
                    "a child cannot be signalled either, so it proves nothing: " + calls.describe(-together));
        }
        return alone == -Errno.ESRCH
                ? Finding.ok("no other process can be signalled")
                : Finding.fail("there is another process to signal: " + Refusals.describe(calls, alone));
    }

    /** The child lives until its pipe ends. */
    private int signalWithChild() {
        int[] pipe = new int[2];
        CallFailedException.check(calls, "pipe", calls.pipe(pipe));
        int child = CallFailedException.check(calls, "fork", calls.fork());
        if (child == 0) {
            calls.close(pipe[1]);
            calls.read(pipe[0], new byte[1], 0, 1);
            calls.exit(0);
        }
        int signalled = calls.kill(EVERY_OTHER, NO_SIGNAL);
        calls.close(pipe[0]);
        calls.close(pipe[1]);
        calls.waitFor(child, new int[1]);
        return signalled;
    }
}

package io.carlos.guest.namespace.probe;

import io.carlos.guest.namespace.calls.CallFailedException;
import io.carlos.guest.namespace.calls.Syscalls;
import io.carlos.guest.namespace.calls.WaitStatus;
import java.util.function.IntSupplier;

/** A child process that makes one attempt, for what would change the process that tries it. */
final class Child {
    private Child() {}

    /** What the attempt answers in a child: 0 or more, or an error; 0 stands for all that are more. */
    static int attempt(Syscalls calls, IntSupplier attempt) {
        int child = CallFailedException.check(calls, "fork", calls.fork());
        if (child == 0) {
            calls.exit(Math.max(-attempt.getAsInt(), 0));
        }
        int[] status = new int[1];
        CallFailedException.check(calls, "wait for a child", calls.waitFor(child, status));
        WaitStatus end = new WaitStatus(status[0]);
        if (end.signalled()) {
            throw new IllegalStateException("signal " + end.code() + " ended the child that tried");
        }
        return -end.code();
    }
}

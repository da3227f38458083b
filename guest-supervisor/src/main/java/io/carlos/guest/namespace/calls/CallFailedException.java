package io.carlos.guest.namespace.calls;

/** A call of the C library that failed; the message names the call, its subject and the error. */
public final class CallFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /** @param result what the call answered: the error number, negated */
    public CallFailedException(Syscalls calls, String call, int result) {
        super(call + ": " + calls.describe(-result) + " (errno " + -result + ")");
        this.errno = -result;
    }

    /**
     * Passes a result on unless it is an error.
     *
     * @param call the call and its subject, such as {@code open launch.run.json}
     */
    public static int check(Syscalls calls, String call, int result) {
        if (result < 0) {
            throw new CallFailedException(calls, call, result);
        }
        return result;
    }

    public int errno() {
        return errno;
    }
}

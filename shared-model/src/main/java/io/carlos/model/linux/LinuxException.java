package io.carlos.model.linux;

import java.io.IOException;

/** A Linux call that failed; the message names the call, what it was asked for and the error. */
public final class LinuxException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final String subject;
    private final int errno;

    LinuxException(String call, String subject, int errno) {
        super(call + ": " + Printable.of(subject) + ": " + Errno.describe(errno));
        this.call = call;
        this.subject = subject;
        this.errno = errno;
    }

    /** The name of the call in its manual page, such as {@code openat2}. */
    public String call() {
        return call;
    }

    /** The path, or the kind of descriptor, that the call was made on. */
    public String subject() {
        return subject;
    }

    /** The error number, which may be one without a constant in {@link Errno}. */
    public int errno() {
        return errno;
    }

    public boolean is(Errno expected) {
        return errno == expected.number();
    }
}

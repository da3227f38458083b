package io.carlos.model.linux.process;

import io.carlos.model.linux.Printable;
import java.io.IOException;

/** A call about processes that the system refused; the message names the call, its object and the error. */
public final class ProcessCallException extends IOException {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int E2BIG = 7;
    public static final int ENOEXEC = 8;
    public static final int ECHILD = 10;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int ETXTBSY = 26;
    public static final int EPIPE = 32;
    public static final int ENAMETOOLONG = 36;
    public static final int ELOOP = 40;

    private static final long serialVersionUID = 1L;

    private final int errno;

    /** @param subject what the call was about, as an error names it */
    public ProcessCallException(String call, String subject, int errno) {
        super(call + ": " + Printable.of(subject) + ": " + Libc.strerror(errno) + " (errno " + errno + ")");
        this.errno = errno;
    }

    /** The error number, which may be one without a constant here. */
    public int errno() {
        return errno;
    }
}

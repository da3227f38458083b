package io.carlos.guest.namespace.calls;

/** Error numbers, which are those of Linux on every architecture that Carlos runs on. */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EINVAL = 22;
    public static final int EROFS = 30;
    public static final int ENAMETOOLONG = 36;
    public static final int ELOOP = 40;
    public static final int EAFNOSUPPORT = 97;
    public static final int ENETUNREACH = 101;
    public static final int ECONNREFUSED = 111;
    public static final int EINPROGRESS = 115;

    private Errno() {}
}

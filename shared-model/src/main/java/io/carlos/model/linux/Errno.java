package io.carlos.model.linux;

/** The error numbers that callers tell apart; the same on x86_64 and aarch64. */
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    ESRCH(3, "no such process"),
    EINTR(4, "interrupted by a signal"),
    EIO(5, "input/output error"),
    ENXIO(6, "no such device, or a socket"),
    EBADF(9, "not an open descriptor of this kind"),
    EAGAIN(11, "held by somebody else right now"),
    EACCES(13, "permission denied"),
    EBUSY(16, "in use by the system, such as a mount point"),
    EEXIST(17, "exists already"),
    EXDEV(18, "outside of the directory, or on another mount"),
    ENOTDIR(20, "not a directory"),
    EISDIR(21, "a directory"),
    EINVAL(22, "invalid argument"),
    EMFILE(24, "this process has too many open descriptors"),
    ENOSPC(28, "no space left on the file system"),
    EROFS(30, "the file system is read-only"),
    ENAMETOOLONG(36, "a name is too long"),
    ENOSYS(38, "the kernel, or a filter on this process, lacks the call"),
    ENOTEMPTY(39, "the directory is not empty"),
    ELOOP(40, "a symbolic link stands in the path"),
    ENODATA(61, "no data"),
    ENOPROTOOPT(92, "the kernel lacks the socket option"),
    EDQUOT(122, "the disk quota is used up");

    private final int number;
    private final String meaning;

    Errno(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    /** The name and meaning of any error number, also of one that has no constant here. */
    static String describe(int number) {
        for (Errno errno : values()) {
            if (errno.number == number) {
                return errno.name() + ": " + errno.meaning;
            }
        }
        return "errno " + number;
    }
}

package io.carlos.model.linux;

/**
 * The ways {@code openat2(2)} is asked to open something. Nothing is handed to child processes, nothing becomes a
 * controlling terminal, and no opening waits for the other end of a fifo.
 *
 * @param flags the {@code O_} flags
 * @param mode the permission bits of a file that is created, else 0
 * @param resolve the {@code RESOLVE_} flags
 */
record OpenHow(long flags, int mode, long resolve) {
    private static final long O_RDWR = 02;
    private static final long O_CREAT = 0100;
    private static final long O_EXCL = 0200;
    private static final long O_NOCTTY = 0400;
    private static final long O_NONBLOCK = 04000;
    private static final long O_CLOEXEC = 02000000;
    private static final long O_PATH = 010000000;
    private static final long O_DIRECTORY = byArchitecture(0200000, 040000);
    private static final long O_NOFOLLOW = byArchitecture(0400000, 0100000);

    private static final long RESOLVE_NO_XDEV = 0x01;
    private static final long RESOLVE_NO_MAGICLINKS = 0x02;
    private static final long RESOLVE_NO_SYMLINKS = 0x04;
    private static final long RESOLVE_BENEATH = 0x08;

    private static final long BENEATH = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    private static final long FILE = O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;

    /** Without O_NOFOLLOW, which would give ENOTDIR for a link where the resolve flag gives ELOOP. */
    private static final long DIRECTORY_FLAGS = O_CLOEXEC | O_DIRECTORY;

    /** Wherever the path leads, links included: for the path that an operator configured. */
    static final OpenHow TRUSTED_DIRECTORY = new OpenHow(DIRECTORY_FLAGS, 0, 0);

    /** Wherever the path leads and whatever it is, only to ask about it. */
    static final OpenHow TRUSTED_HANDLE = new OpenHow(O_CLOEXEC | O_PATH, 0, 0);

    static final OpenHow DIRECTORY = new OpenHow(DIRECTORY_FLAGS, 0, BENEATH);

    /** A directory to name things in, which may be one whose names cannot be listed. */
    static final OpenHow DIRECTORY_HANDLE = new OpenHow(DIRECTORY_FLAGS | O_PATH, 0, BENEATH);

    static final OpenHow EXISTING_FILE = new OpenHow(FILE, 0, BENEATH);

    static OpenHow newFile(int mode) {
        return new OpenHow(FILE | O_RDWR | O_CREAT | O_EXCL, mode, BENEATH);
    }

    static OpenHow newOrExistingFile(int mode) {
        return new OpenHow(FILE | O_RDWR | O_CREAT, mode, BENEATH);
    }

    OpenHow onSameMount() {
        return new OpenHow(flags, mode, resolve | RESOLVE_NO_XDEV);
    }

    /** The {@code struct open_how}. */
    long[] structure() {
        return new long[] {flags, mode, resolve};
    }

    private static long byArchitecture(long x86, long arm) {
        String architecture = System.getProperty("os.arch");
        return switch (architecture) {
            case "amd64" -> x86;
            case "aarch64" -> arm;
            default ->
                throw new UnsupportedOperationException(
                        "no open flags known for the architecture " + architecture + ", only for amd64 and aarch64");
        };
    }
}

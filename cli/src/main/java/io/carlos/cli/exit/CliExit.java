package io.carlos.cli.exit;

/** Why carlos ended without a command's own exit code. The numbers are those of sysexits(3) where it has one. */
public enum CliExit {
    /** The command line cannot be understood. */
    USAGE(64),
    /** No store or agent was reached. */
    UNAVAILABLE(69),
    /** A defect of carlos itself. */
    INTERNAL(70),
    /** Standard output or error could not be written, as when a disk is full. */
    OUTPUT(74),
    /** Nobody picked the run up in time. */
    NOT_PICKED_UP(75),
    /** The platform refused the run or interrupted it. */
    REFUSED(76),
    /** Left by Ctrl-C: 128 and the number of SIGINT. */
    INTERRUPTED(130),
    /** The reader of the output has gone, as with {@code carlos … | head}: 128 and the number of SIGPIPE. */
    READER_GONE(141);

    private final int code;

    CliExit(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}

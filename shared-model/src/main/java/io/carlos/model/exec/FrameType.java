package io.carlos.model.exec;

/** What a frame carries; the code is its first byte. */
public enum FrameType {
    /** To the command, for it to read. */
    STDIN(0, ExecFrame.MAX_DATA),
    STDOUT(1, ExecFrame.MAX_DATA),
    STDERR(2, ExecFrame.MAX_DATA),
    /** Empty: the command's input ends here. */
    END_OF_STDIN(3, 0),
    /** Four bytes, the most significant first: how many more bytes of input the command has taken. */
    STDIN_TAKEN(4, Integer.BYTES),
    /** Empty: the command is to end, by SIGTERM. */
    TERMINATE(5, 0),
    /** Empty: the command and all that came of it are to be killed. */
    KILL(6, 0),
    /** An {@link ExecCommand}. */
    COMMAND(7, ExecFrame.MAX_DOCUMENT),
    /** An {@link ExecEnd}. */
    END(8, ExecFrame.MAX_DOCUMENT);

    private final int code;
    private final int maxLength;

    FrameType(int code, int maxLength) {
        this.code = code;
        this.maxLength = maxLength;
    }

    int code() {
        return code;
    }

    /** In bytes. */
    int maxLength() {
        return maxLength;
    }
}

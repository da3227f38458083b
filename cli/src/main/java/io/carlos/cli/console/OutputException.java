package io.carlos.cli.console;

import java.io.IOException;

/** A write to stdout or stderr failed. */
public final class OutputException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean readerGone;

    OutputException(StandardStream stream, boolean readerGone, IOException cause) {
        super(stream + " cannot be written: " + cause.getMessage(), cause);
        this.readerGone = readerGone;
    }

    /** Whether the other end was closed, which is no error to speak of: nobody wants the rest. */
    public boolean readerGone() {
        return readerGone;
    }
}

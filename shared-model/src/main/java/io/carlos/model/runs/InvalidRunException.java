package io.carlos.model.runs;

/** A run that cannot be asked for as it is; the message is one sentence for the person who asked. */
public final class InvalidRunException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidRunException(String message) {
        super(message);
    }
}

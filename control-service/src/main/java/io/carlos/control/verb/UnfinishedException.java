package io.carlos.control.verb;

/** A unit did not get where it was to go in the time it had; the message names it. */
public sealed class UnfinishedException extends Exception permits UnsweptException {
    private static final long serialVersionUID = 1L;

    public UnfinishedException(String message) {
        super(message);
    }

    public UnfinishedException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.carlos.control.verb;

/** A unit did not get where it was to go in the time it had; the message names it. */
public final class UnfinishedException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnfinishedException(String message) {
        super(message);
    }

    public UnfinishedException(String message, Throwable cause) {
        super(message, cause);
    }
}

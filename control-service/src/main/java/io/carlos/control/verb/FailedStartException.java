package io.carlos.control.verb;

/** What was to be started is not known to run; the message has systemd's own words. */
public final class FailedStartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Remains remains;

    /** What the failed start left. */
    public enum Remains {
        /** Nothing: it did not start anything, or that was stopped again. */
        NOTHING,
        /** Perhaps the unit, or a job of systemd's that starts it later: it could not be stopped. */
        PERHAPS_ALL
    }

    FailedStartException(String message, Remains remains, Throwable cause) {
        super(message, cause);
        this.remains = remains;
    }

    public Remains remains() {
        return remains;
    }
}

package io.carlos.control.verb;

import io.carlos.model.names.UnitName;

/** What was to be started is not known to run; the message has systemd's own words. */
public final class FailedStartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Remains remains;

    /** What the failed start left. */
    public enum Remains {
        /** Nothing: it did not start anything, or that was stopped again. */
        NOTHING,
        /** Nothing: a stop came while it was under way. What it began may have run until then. */
        NOTHING_AFTER_A_STOP,
        /** Perhaps the unit, or a job of systemd's that starts it later: it could not be stopped. */
        PERHAPS_ALL
    }

    FailedStartException(String message, Remains remains, Throwable cause) {
        super(message, cause);
        this.remains = remains;
    }

    /** Of a start that was stopped while it was under way; nothing runs of it. */
    static FailedStartException stopped(UnitName unit) {
        return new FailedStartException(unit);
    }

    private FailedStartException(UnitName unit) {
        super("start: " + unit + ": it was stopped while its start was under way");
        this.remains = Remains.NOTHING_AFTER_A_STOP;
    }

    public Remains remains() {
        return remains;
    }
}

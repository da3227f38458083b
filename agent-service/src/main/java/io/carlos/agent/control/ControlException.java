package io.carlos.agent.control;

import java.io.Serial;

/** A verb was refused, failed, or was never answered. */
public sealed class ControlException extends Exception permits UnsweptException {
    @Serial
    private static final long serialVersionUID = 1;

    private final Outcome outcome;

    /** What the failure tells of the unit. */
    public enum Outcome {
        /** Nothing that the verb began runs; unless it was never sent, something may have run until it was undone. */
        NOTHING_RUNS,
        /** What the verb began may run, or begin to: the unit has to be stopped before anything else is done with it. */
        MAY_RUN,
        /** The same role of that host is being started already, for somebody else; this start did nothing. */
        BUSY,
        /** The unit is still there from an earlier start, so this one did nothing. A stop and a reset make room for another. */
        STILL_LOADED,
        /** The control service came to it only after {@link ControlChannel#START_WINDOW}, so this start did nothing. */
        EXPIRED,
        /** A stop came while the start was under way. Nothing of it runs, but it may have been executed until then. */
        STOPPED,
        /** The box is not proven to isolate instances, so nothing was started. */
        NOT_READY
    }

    public ControlException(Outcome outcome, String message) {
        super(message);
        this.outcome = outcome;
    }

    public ControlException(Outcome outcome, String message, Throwable cause) {
        super(message, cause);
        this.outcome = outcome;
    }

    public Outcome outcome() {
        return outcome;
    }
}

package io.carlos.agent.container;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A command could not be attempted, or not be carried through; that it ended badly is no such case. */
public class CommandException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String detail;

    /** Who has to change what. */
    public enum Reason {
        /** The place is not prepared for commands, or is stopping. */
        NOT_READY,
        /** The request makes no sense there: an empty command, a working directory that is missing, a bad name. */
        INVALID,
        /** The user may not run this, or may not run anything. */
        DENIED,
        /** There is no such program. */
        NOT_FOUND,
        /** Its output, the request, or the place's own room is over a limit. */
        LIMIT,
        /** It took longer than it was given. */
        TIMEOUT,
        /** The caller gave it up. */
        CANCELLED,
        /** The place does not know how. */
        UNSUPPORTED,
        /** The place cannot be reached, or failed. */
        TRANSPORT
    }

    public CommandException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.detail = message;
    }

    /**
     * Of a command whose owner is told less than the agent's operator.
     *
     * @param where names the command and the place
     * @param detail what was wrong, printable
     */
    public CommandException(Reason reason, String where, String detail, @Nullable Throwable cause) {
        super(where + ": " + detail, cause);
        this.reason = reason;
        this.detail = detail;
    }

    public Reason reason() {
        return reason;
    }

    /** What was wrong, fit for the command's owner when {@link #reason} is the command's own fault. */
    public String detail() {
        return detail;
    }
}

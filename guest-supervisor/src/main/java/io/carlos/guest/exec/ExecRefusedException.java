package io.carlos.guest.exec;

/** A command that was not started, and nothing of it is left. */
public final class ExecRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Who has to change what. */
    public enum Reason {
        /** The request makes no sense. */
        ARGUMENT,
        /** The supervisor runs nothing under this identity. */
        IDENTITY,
        /** There is no such program, or not the interpreter that it names. */
        NOT_FOUND,
        /** There is one, and this identity may not execute it. */
        NOT_EXECUTABLE,
        /** The machine has no room for another process now. */
        NO_ROOM,
        /** It was killed before its program ran: by its own user, or because its start was given up. */
        KILLED,
        /** The supervisor starts nothing any more. */
        STOPPING
    }

    public ExecRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    ExecRefusedException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}

package io.carlos.agent.container;

/** A command took longer than it was given; nothing of it is left. */
public final class CommandTimeoutException extends CommandException {
    private static final long serialVersionUID = 1L;

    public CommandTimeoutException(String message, Throwable cause) {
        super(Reason.TIMEOUT, message, cause);
    }
}

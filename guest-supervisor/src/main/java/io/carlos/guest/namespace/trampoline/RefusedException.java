package io.carlos.guest.namespace.trampoline;

/** The command was not started: why, and the status that the trampoline exits with for it. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitStatus;

    RefusedException(String message, int exitStatus) {
        super(message);
        this.exitStatus = exitStatus;
    }

    int exitStatus() {
        return exitStatus;
    }
}

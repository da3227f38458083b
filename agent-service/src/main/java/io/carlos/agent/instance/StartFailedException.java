package io.carlos.agent.instance;

import java.io.Serial;

/** An instance could not be started, and nothing of the attempt is left; the message is a sentence for its operator. */
final class StartFailedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final boolean boxNotReady;

    private StartFailedException(String message, boolean boxNotReady) {
        super(message);
        this.boxNotReady = boxNotReady;
    }

    static StartFailedException because(String reason) {
        return new StartFailedException(reason, false);
    }

    /** The box is to blame and not the instance: it can be tried again as it is. */
    static StartFailedException notReady(String reason) {
        return new StartFailedException(reason, true);
    }

    boolean isBoxNotReady() {
        return boxNotReady;
    }
}

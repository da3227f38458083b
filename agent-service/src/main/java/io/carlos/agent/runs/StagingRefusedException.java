package io.carlos.agent.runs;

/**
 * A run's files must not be staged; trying again is no use. The message is fit for the member who asked for the run: it
 * names paths within the instance's data directory only.
 */
public final class StagingRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public StagingRefusedException(String message) {
        super(message);
    }

    public StagingRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}

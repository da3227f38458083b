package io.carlos.agent.runs;

/** A run's files must not be staged; trying again is no use. */
public final class StagingRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public StagingRefusedException(String message) {
        super(message);
    }
}

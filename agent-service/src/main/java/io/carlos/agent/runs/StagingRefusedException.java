package io.carlos.agent.runs;

import io.carlos.agent.launch.LaunchOutcome;

/**
 * A run's files must not be staged; trying again is no use. The message is fit for the member who asked for the run: it
 * names paths within the instance's data directory only.
 */
public final class StagingRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private static final String FILES = "files";

    private final String rule;

    public StagingRefusedException(String message) {
        super(message);
        this.rule = FILES;
    }

    public StagingRefusedException(String message, Throwable cause) {
        super(message, cause);
        this.rule = FILES;
    }

    /** There is no place for the run, whatever its files are. */
    public StagingRefusedException(LaunchOutcome.Reason reason, String message) {
        super(message);
        this.rule = reason.wireName();
    }

    /** The text in the result's {@code refused}. */
    public String rule() {
        return rule;
    }
}

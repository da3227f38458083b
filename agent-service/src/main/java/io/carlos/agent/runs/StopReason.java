package io.carlos.agent.runs;

/** Why a running command is stopped before its own end. */
sealed interface StopReason {
    /** Somebody asked for it. */
    record Cancelled() implements StopReason {}

    /** The run's timeout ran out. */
    record TimedOut() implements StopReason {}

    /** The platform ends it. */
    record Interrupted(String why) implements StopReason {}

    /** The run may be another's by now: stop the command and write nothing. */
    record LeaseLost() implements StopReason {}
}

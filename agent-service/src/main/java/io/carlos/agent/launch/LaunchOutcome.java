package io.carlos.agent.launch;

import java.util.Locale;

/** What became of {@link RunLauncher#launch}. */
public sealed interface LaunchOutcome {
    /** The command runs, or has run already. */
    record Started(LaunchedRun run) implements LaunchOutcome {}

    /**
     * The platform will not run it here.
     *
     * @param detail one sentence fit for the member who asked
     */
    record Refused(Reason reason, String detail) implements LaunchOutcome {}

    /** It was {@linkplain LaunchRequest#wanted wanted} no more when it could have started; nothing of it was executed. */
    record Unwanted() implements LaunchOutcome {}

    /** The instance stopped before the command could start; nothing tells that any of it was executed. */
    record Interrupted(String reason) implements LaunchOutcome {}

    /** It could not be started, and nothing tells that any of it was executed; the cause is for the log of the box and not for the member. */
    record Failed(String message, Throwable cause) implements LaunchOutcome {}

    /** Why a launch was refused. */
    enum Reason {
        /** The instance's claim is not held by this box. */
        CLAIM,
        /** The instance has no directory of its own to run beside. */
        FLAT,
        /** The instance could not be woken. */
        WAKE;

        /** The text in a result's {@code refused}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

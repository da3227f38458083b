package io.carlos.agent.launch;

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

    /** The instance stopped before the command could start. */
    record Interrupted(String reason) implements LaunchOutcome {}

    /** It could not be started; the cause is for the log of the box and not for the member. */
    record Failed(String message, Throwable cause) implements LaunchOutcome {}

    /** Why a launch was refused; the names are those of the result's {@code refused}. */
    enum Reason {
        CLAIM,
        FLAT,
        WAKE
    }
}

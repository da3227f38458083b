package io.carlos.agent.launch;

/** Starts commands behind one isolation backend. Implementations are called from many threads at once. */
public interface RunLauncher {
    /**
     * Starts the command; returns when it runs or is known not to. At most one process tree comes of one call, also when
     * the outcome is not {@link LaunchOutcome.Started}: then nothing of it is left.
     *
     * @param output takes the command's output from now until {@link LaunchedRun#stop} has returned, and never after
     */
    LaunchOutcome launch(LaunchRequest request, OutputSink output) throws InterruptedException;

    /** What holds for every command that this backend starts and must stand in its result; empty for nothing. */
    default String standingNote() {
        return "";
    }
}

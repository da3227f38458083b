package io.carlos.agent.container;

/** A running command, to be ended or waited for by any thread. */
public interface ChildHandle {
    /**
     * Kills the command and all that came of it. Returns at once, and does nothing when it has ended. What it printed
     * before can still be read.
     */
    void kill();

    /** Asks the command to end, by SIGTERM. Returns at once, and does nothing when it has ended. */
    void terminate();

    /**
     * Waits for the end of the command and of its output; as often as one likes.
     *
     * @return its own status
     * @throws ExitStatusException a signal ended it
     * @throws CommandException it is not known how it ended: the place is gone, or the caller gave it up
     */
    int waitFor() throws ExitStatusException, CommandException, InterruptedException;
}

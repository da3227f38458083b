package io.carlos.agent.container;

/** A command was ended by a signal, whichever technique ran it. */
public final class ExitStatusException extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;
    private static final int STATUS_OF_SIGNALS = 128;

    private final int signal;

    public ExitStatusException(int signal) {
        super("the command was ended by signal " + signal);
        this.signal = signal;
    }

    /** As a shell tells it: 128 and the number of the signal. */
    public int code() {
        return STATUS_OF_SIGNALS + signal;
    }

    public int signal() {
        return signal;
    }

    /** Whether this is how a command ends that somebody wanted to end. */
    public boolean isDeliberateKill() {
        return signal == SIGKILL || signal == SIGTERM;
    }
}

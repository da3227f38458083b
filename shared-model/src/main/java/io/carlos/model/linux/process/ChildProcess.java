package io.carlos.model.linux.process;

import com.sun.jna.Memory;

/**
 * A child of this JVM, from its start until {@link #reap}. Until then the kernel keeps its number, also when it has
 * exited, so that neither the number nor that of its session and process group can come to mean somebody else.
 *
 * <p>Every wait names this one child: the JDK's own children are never taken from it.
 */
public final class ChildProcess {
    private static final int SIZE_OF_SIGINFO = 128;
    private static final int SI_CODE = 8;
    private static final int SI_STATUS = 24;
    private static final int CLD_EXITED = 1;

    private final int pid;

    ChildProcess(int pid) {
        this.pid = pid;
    }

    /** The number of the process, and of its session and process group. */
    public int pid() {
        return pid;
    }

    /**
     * Blocks the platform thread until the child has exited, and leaves it unreaped.
     *
     * @throws ProcessCallException with {@code ECHILD} when somebody else has reaped it
     */
    public ChildEnd awaitEnd() throws ProcessCallException {
        try (Memory siginfo = new Memory(SIZE_OF_SIGINFO)) {
            waitFor(siginfo, Libc.WEXITED | Libc.WNOWAIT);
            int status = siginfo.getInt(SI_STATUS);
            return siginfo.getInt(SI_CODE) == CLD_EXITED ? new ChildEnd.Exited(status) : new ChildEnd.Killed(status);
        }
    }

    /** Frees the child's number; it has exited, or is waited for. Nothing may be called on it afterwards. */
    public void reap() throws ProcessCallException {
        try (Memory siginfo = new Memory(SIZE_OF_SIGINFO)) {
            waitFor(siginfo, Libc.WEXITED);
        }
    }

    private void waitFor(Memory siginfo, int options) throws ProcessCallException {
        Libc.check("waitid", "process " + pid, () -> Libc.waitid(Libc.P_PID, pid, siginfo, options));
    }

    /** Signals every process of the child's own process group; a group in which nobody runs any more is no error. */
    public void signalGroup(Signal signal) throws ProcessCallException {
        try {
            Libc.check("kill", "process group " + pid, () -> Libc.kill(-pid, signal.number()));
        } catch (ProcessCallException e) {
            if (e.errno() != ProcessCallException.ESRCH) {
                throw e;
            }
        }
    }
}

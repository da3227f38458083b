package io.carlos.model.linux.process;

import com.sun.jna.Memory;
import java.util.Optional;

/**
 * A child of this JVM, from its start until {@link #reap}. Until then the kernel keeps its number, also when it has
 * exited, so that neither the number nor that of its session and process group can come to mean somebody else.
 *
 * <p>Every wait but {@link #awaitAny} names this one child: the JDK's own children are never taken from it.
 */
public final class ChildProcess {
    private static final int SIZE_OF_SIGINFO = 128;
    private static final int SI_CODE = 8;
    private static final int SI_PID = 16;
    private static final int SI_STATUS = 24;
    private static final int CLD_EXITED = 1;

    private static final int MAX_SIGNAL = 64;

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
            return end(siginfo);
        }
    }

    /**
     * Blocks the platform thread until any child of this process has exited, also one that it inherited, and leaves it
     * unreaped. For a process in which one thread waits for all children; it takes no part in the JDK's own.
     *
     * @return empty when there is no child at all
     */
    public static Optional<EndedChild> awaitAny() throws ProcessCallException {
        try (Memory siginfo = new Memory(SIZE_OF_SIGINFO)) {
            Libc.check(
                    "waitid", "all children", () -> Libc.waitid(Libc.P_ALL, 0, siginfo, Libc.WEXITED | Libc.WNOWAIT));
            return Optional.of(new EndedChild(new ChildProcess(siginfo.getInt(SI_PID)), end(siginfo)));
        } catch (ProcessCallException e) {
            if (e.errno() == ProcessCallException.ECHILD) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static ChildEnd end(Memory siginfo) {
        int status = siginfo.getInt(SI_STATUS);
        return siginfo.getInt(SI_CODE) == CLD_EXITED ? new ChildEnd.Exited(status) : new ChildEnd.Killed(status);
    }

    /**
     * Has the child's group give way to others, with what it starts from now on.
     *
     * @param nice from 0 to 19; no less than it has
     */
    public void setNiceOfGroup(int nice) throws ProcessCallException {
        Libc.check("setpriority", "process group " + pid, () -> Libc.setpriority(Libc.PRIO_PGRP, pid, nice));
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

    /** Whether it is a child of this process still: running, or dead and unreaped. */
    public boolean isUnreaped() throws ProcessCallException {
        try (Memory siginfo = new Memory(SIZE_OF_SIGINFO)) {
            waitFor(siginfo, Libc.WEXITED | Libc.WNOWAIT | Libc.WNOHANG);
            return true;
        } catch (ProcessCallException e) {
            if (e.errno() == ProcessCallException.ECHILD) {
                return false;
            }
            throw e;
        }
    }

    /** Whether anybody is in the child's own process group, be it dead and unreaped. */
    public boolean hasGroup() throws ProcessCallException {
        try {
            Libc.check("kill", "process group " + pid, () -> Libc.kill(-pid, 0));
            return true;
        } catch (ProcessCallException e) {
            return switch (e.errno()) {
                case ProcessCallException.ESRCH -> false;
                case ProcessCallException.EPERM -> true;
                default -> throw e;
            };
        }
    }

    /** Signals every process of the child's own process group; a group in which nobody runs any more is no error. */
    public void signalGroup(Signal signal) throws ProcessCallException {
        signalGroup(signal.number());
    }

    /** @param signal a number from 1 to 64 */
    public void signalGroup(int signal) throws ProcessCallException {
        if (signal < 1 || signal > MAX_SIGNAL) {
            throw new IllegalArgumentException("signal " + signal + ": expected a number from 1 to " + MAX_SIGNAL);
        }
        try {
            Libc.check("kill", "process group " + pid, () -> Libc.kill(-pid, signal));
        } catch (ProcessCallException e) {
            if (e.errno() != ProcessCallException.ESRCH) {
                throw e;
            }
        }
    }
}

package io.carlos.model.linux.process;

import com.sun.jna.Memory;
import java.util.Optional;

/** A hold on one process: a signal sent through it reaches that process or nobody, however often numbers are reused. */
public final class PidFd implements AutoCloseable {
    private static final int SIZE_OF_POLLFD = 8;
    private static final int EVENTS = 4;

    private final int pid;
    private final int descriptor;

    private PidFd(int pid, int descriptor) {
        this.pid = pid;
        this.descriptor = descriptor;
    }

    /** Takes hold of the process that has this number now; empty when there is none. */
    public static Optional<PidFd> open(int pid) throws ProcessCallException {
        try {
            long descriptor = Libc.check("pidfd_open", "process " + pid, () -> Libc.pidfd_open(pid));
            return Optional.of(new PidFd(pid, (int) descriptor));
        } catch (ProcessCallException e) {
            if (e.errno() == ProcessCallException.ESRCH) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Sends the signal; a process that has ended meanwhile is no error.
     *
     * @throws ProcessCallException with {@code EPERM} when the process belongs to somebody else
     */
    public void signal(Signal signal) throws ProcessCallException {
        try {
            Libc.check(
                    "pidfd_send_signal", "process " + pid, () -> Libc.pidfd_send_signal(descriptor, signal.number()));
        } catch (ProcessCallException e) {
            if (e.errno() != ProcessCallException.ESRCH) {
                throw e;
            }
        }
    }

    /** Blocks the platform thread until the process has ended, whoever reaps it. */
    public void awaitEnd() throws ProcessCallException {
        try (Memory polled = new Memory(SIZE_OF_POLLFD)) {
            polled.clear();
            polled.setInt(0, descriptor);
            polled.setShort(EVENTS, Libc.POLLIN);
            Libc.check("poll", "process " + pid, () -> Libc.poll(polled, 1, -1));
        }
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }
}

package io.carlos.model.linux.process;

import com.sun.jna.Memory;
import java.util.Arrays;

/** The write end of a pipe. One thread writes and closes it; any thread may abandon it. */
public final class PipeWriter implements AutoCloseable {
    private static final int SIZE_OF_POLLFD = 8;
    private static final int EVENTS = 4;
    private static final int REVENTS = 6;
    private static final byte[] EVENT = {1, 0, 0, 0, 0, 0, 0, 0};

    private final int descriptor;
    private final int wakeUp;
    private final Memory polled = new Memory(2 * SIZE_OF_POLLFD);
    private boolean closed;

    /** Takes over the descriptor, also when it fails. */
    PipeWriter(int descriptor) throws ProcessCallException {
        this.descriptor = descriptor;
        try {
            // Only this end: the child's is another open file, and stays as programs expect it.
            Libc.check("fcntl", "a pipe writer", () -> Libc.fcntl(descriptor, Libc.F_SETFL, Libc.O_NONBLOCK));
            wakeUp = (int) Libc.check("eventfd", "a pipe writer", () -> Libc.eventfd(0, Libc.EFD_CLOEXEC));
        } catch (ProcessCallException e) {
            Libc.close(descriptor);
            throw e;
        }
        watch(0, descriptor, Libc.POLLOUT);
        watch(SIZE_OF_POLLFD, wakeUp, Libc.POLLIN);
    }

    private void watch(int offset, int watched, short event) {
        polled.setInt(offset, watched);
        polled.setShort(offset + EVENTS, event);
        polled.setShort(offset + REVENTS, (short) 0);
    }

    /**
     * Blocks the platform thread until the pipe has taken all bytes.
     *
     * @return whether it has; false when every reader has closed the pipe, or it was abandoned
     */
    public boolean write(byte[] bytes) throws ProcessCallException {
        byte[] left = bytes;
        while (left.length > 0) {
            Libc.check("poll", "a pipe writer", () -> Libc.poll(polled, 2, -1));
            if (polled.getShort(SIZE_OF_POLLFD + REVENTS) != 0) {
                return false;
            }
            int written = writeSome(left);
            if (written < 0) {
                return false;
            }
            left = written == 0 ? left : Arrays.copyOfRange(left, written, left.length);
        }
        return true;
    }

    /** @return how many bytes were taken, or -1 when there is no reader any more */
    private int writeSome(byte[] bytes) throws ProcessCallException {
        try {
            return (int) Libc.check("write", "a pipe", () -> Libc.write(descriptor, bytes, bytes.length));
        } catch (ProcessCallException e) {
            return switch (e.errno()) {
                case ProcessCallException.EAGAIN -> 0;
                case ProcessCallException.EPIPE -> -1;
                default -> throw e;
            };
        }
    }

    /** Has the present and every later {@link #write} return false, although somebody may read yet. */
    public synchronized void abandon() throws ProcessCallException {
        if (!closed) {
            Libc.check("write", "a pipe writer's event", () -> Libc.write(wakeUp, EVENT, EVENT.length));
        }
    }

    /** The reader sees the end once it has read everything; closing again does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            Libc.close(descriptor);
            Libc.close(wakeUp);
            polled.close();
        }
    }
}

package io.carlos.model.linux.process;

import com.sun.jna.Memory;

/**
 * The read end of a pipe. One thread reads and closes it; any thread may abandon it. Unlike the streams of
 * {@link Process} it knows nothing of the writer's exit: it ends when the last process has closed its write end.
 */
public final class PipeReader implements AutoCloseable {
    /** What {@link #read} returns when nothing more will come. */
    public static final int END = -1;

    private static final int SIZE_OF_POLLFD = 8;
    private static final int EVENTS = 4;
    private static final int REVENTS = 6;
    private static final byte[] EVENT = {1, 0, 0, 0, 0, 0, 0, 0};

    private final int descriptor;
    private final int wakeUp;
    private final Memory polled = new Memory(2 * SIZE_OF_POLLFD);
    private boolean closed;

    /** Takes over the descriptor, also when it fails. */
    PipeReader(int descriptor) throws ProcessCallException {
        this.descriptor = descriptor;
        try {
            wakeUp = (int) Libc.check("eventfd", "a pipe reader", () -> Libc.eventfd(0, Libc.EFD_CLOEXEC));
        } catch (ProcessCallException e) {
            Libc.close(descriptor);
            throw e;
        }
        watch(0, descriptor);
        watch(SIZE_OF_POLLFD, wakeUp);
    }

    private void watch(int offset, int watched) {
        polled.setInt(offset, watched);
        polled.setShort(offset + EVENTS, Libc.POLLIN);
        polled.setShort(offset + REVENTS, (short) 0);
    }

    /**
     * Blocks the platform thread until there are bytes, and takes what there is.
     *
     * @return how many bytes were put at the buffer's start, or {@link #END} when every writer has closed the pipe or
     *     it was abandoned
     */
    public int read(byte[] buffer) throws ProcessCallException {
        Libc.check("poll", "a pipe reader", () -> Libc.poll(polled, 2, -1));
        if (polled.getShort(SIZE_OF_POLLFD + REVENTS) != 0) {
            return END;
        }
        int count = (int) Libc.check("read", "a pipe", () -> Libc.read(descriptor, buffer, buffer.length));
        return count == 0 ? END : count;
    }

    /** Has the present and every later {@link #read} return {@link #END}, although somebody may write yet. */
    public synchronized void abandon() throws ProcessCallException {
        if (!closed) {
            Libc.check("write", "a pipe reader's event", () -> Libc.write(wakeUp, EVENT, EVENT.length));
        }
    }

    /** Writers get {@code EPIPE} from now on. */
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

package io.carlos.model.linux.process;

import com.sun.jna.Memory;

/**
 * This process's end of a pipe: calls on it never block, {@link #await} does. The child's end is another open file, and
 * stays as programs expect it.
 */
final class PipeEnd implements AutoCloseable {
    private static final int SIZE_OF_POLLFD = 8;
    private static final int EVENTS = 4;
    private static final int REVENTS = 6;
    private static final byte[] EVENT = {1, 0, 0, 0, 0, 0, 0, 0};

    private final int descriptor;
    private final int wakeUp;
    private final Memory polled = new Memory(2 * SIZE_OF_POLLFD);
    private volatile boolean abandoned;
    private boolean closed;

    /**
     * Takes over the descriptor, also when it fails.
     *
     * @param event what {@link #await} waits for
     */
    PipeEnd(int descriptor, short event) throws ProcessCallException {
        this.descriptor = descriptor;
        try {
            Libc.check("fcntl", "a pipe", () -> Libc.fcntl(descriptor, Libc.F_SETFL, Libc.O_NONBLOCK));
            wakeUp = (int) Libc.check("eventfd", "a pipe", () -> Libc.eventfd(0, Libc.EFD_CLOEXEC));
        } catch (ProcessCallException e) {
            Libc.close(descriptor);
            throw e;
        }
        watch(0, descriptor, event);
        watch(SIZE_OF_POLLFD, wakeUp, Libc.POLLIN);
    }

    private void watch(int offset, int watched, short event) {
        polled.setInt(offset, watched);
        polled.setShort(offset + EVENTS, event);
        polled.setShort(offset + REVENTS, (short) 0);
    }

    int descriptor() {
        return descriptor;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /** Blocks the platform thread until the event, the other end's closing, or {@link #abandon}. */
    void await() throws ProcessCallException {
        Libc.check("poll", "a pipe", () -> Libc.poll(polled, 2, -1));
    }

    /** Ends the present and every later {@link #await}. */
    synchronized void abandon() throws ProcessCallException {
        if (!closed) {
            abandoned = true;
            Libc.check("write", "a pipe's event", () -> Libc.write(wakeUp, EVENT, EVENT.length));
        }
    }

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

package io.carlos.model.linux.process;

import com.sun.jna.Memory;
import java.time.Duration;
import java.util.Arrays;

/**
 * A stream in both directions between this process and a child that is being started, which has its end as {@link
 * #DESCRIPTOR}. Calls block the platform thread.
 */
public final class ChildChannel implements AutoCloseable {
    /** The child's end in the child. */
    public static final int DESCRIPTOR = 3;

    /** What {@link #readWithin} returns when nothing more will come. */
    public static final int END = -1;

    private static final int BUFFER_BYTES = 256;
    private static final int SIZE_OF_POLLFD = 8;
    private static final int EVENTS = 4;

    private final int own;
    private final int childs;
    private boolean childsClosed;

    private ChildChannel(int own, int childs) {
        this.own = own;
        this.childs = childs;
    }

    public static ChildChannel open() throws ProcessCallException {
        int[] ends = new int[2];
        Libc.check(
                "socketpair",
                "a child's channel",
                () -> Libc.socketpair(Libc.AF_UNIX, Libc.SOCK_STREAM | Libc.SOCK_CLOEXEC, 0, ends));
        return new ChildChannel(ends[0], ends[1]);
    }

    int childsEnd() {
        return childs;
    }

    /** From now on the channel ends when the child's end does. To be called when the child has been started. */
    void closeChildsEnd() {
        if (!childsClosed) {
            childsClosed = true;
            Libc.close(childs);
        }
    }

    /**
     * Hands everything over.
     *
     * @throws ProcessCallException when the child has closed its end or ended: {@link ProcessCallException#EPIPE} or
     *     {@link ProcessCallException#ECONNRESET}
     */
    public void write(byte[] bytes) throws ProcessCallException {
        int written = 0;
        while (written < bytes.length) {
            byte[] rest = written == 0 ? bytes : Arrays.copyOfRange(bytes, written, bytes.length);
            written += (int) Libc.check("write", "a child's channel", () -> Libc.write(own, rest, rest.length));
        }
    }

    /**
     * Everything that the child writes until its end is closed, because it ended or executed a program. Without a bound:
     * a child that is stopped or does something else is for others to kill.
     *
     * @param limit what is beyond that many bytes is not read
     */
    public byte[] readToEnd(int limit) throws ProcessCallException {
        byte[] all = new byte[limit];
        byte[] buffer = new byte[Math.min(limit, BUFFER_BYTES)];
        int length = 0;
        while (length < limit) {
            int wanted = Math.min(buffer.length, limit - length);
            int count = read(buffer, wanted);
            if (count == 0) {
                break;
            }
            System.arraycopy(buffer, 0, all, length, count);
            length += count;
        }
        return Arrays.copyOf(all, length);
    }

    /**
     * What the child has written by now, or the first that it writes within the bound.
     *
     * @param bound whole milliseconds
     * @return how many bytes were put at the buffer's start, 0 when the time is over, or {@link #END} when everybody has
     *     closed the child's end
     */
    public int readWithin(byte[] buffer, Duration bound) throws ProcessCallException {
        try (Memory polled = new Memory(SIZE_OF_POLLFD)) {
            polled.clear();
            polled.setInt(0, own);
            polled.setShort(EVENTS, Libc.POLLIN);
            int millis = (int) bound.toMillis();
            if (Libc.check("poll", "a child's channel", () -> Libc.poll(polled, 1, millis)) == 0) {
                return 0;
            }
        }
        int count = read(buffer, buffer.length);
        return count == 0 ? END : count;
    }

    /** Whether the child has read all that was written. It also has when nobody will read it any more. */
    public boolean hasReadEverything() throws ProcessCallException {
        int[] unread = new int[1];
        Libc.check("ioctl", "a child's channel", () -> Libc.ioctl(own, Libc.TIOCOUTQ, unread));
        return unread[0] == 0;
    }

    /** @return 0 at the end */
    private int read(byte[] buffer, int wanted) throws ProcessCallException {
        try {
            return (int) Libc.check("read", "a child's channel", () -> Libc.read(own, buffer, wanted));
        } catch (ProcessCallException e) {
            // The same end, of a child that had not read everything.
            if (e.errno() == ProcessCallException.ECONNRESET) {
                return 0;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        closeChildsEnd();
        Libc.close(own);
    }
}

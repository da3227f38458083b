package io.carlos.model.linux.process;

import java.util.Arrays;

/**
 * A stream in both directions between this process and a child that is being started, which has its end as {@link
 * #DESCRIPTOR}. Calls block the platform thread.
 */
public final class ChildChannel implements AutoCloseable {
    /** The child's end in the child. */
    public static final int DESCRIPTOR = 3;

    private static final int BUFFER_BYTES = 256;

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
     * @throws ProcessCallException when the child has closed its end or ended: {@link ProcessCallException#EPIPE}, or
     *     104, ECONNRESET
     */
    public void write(byte[] bytes) throws ProcessCallException {
        int written = 0;
        while (written < bytes.length) {
            byte[] rest = written == 0 ? bytes : Arrays.copyOfRange(bytes, written, bytes.length);
            written += (int) Libc.check("write", "a child's channel", () -> Libc.write(own, rest, rest.length));
        }
    }

    /**
     * Everything that the child writes until its end is closed, and it executes no program that has it.
     *
     * @param limit what is beyond that many bytes is not read
     */
    public byte[] readToEnd(int limit) throws ProcessCallException {
        byte[] all = new byte[limit];
        byte[] buffer = new byte[Math.min(limit, BUFFER_BYTES)];
        int length = 0;
        while (length < limit) {
            int wanted = Math.min(buffer.length, limit - length);
            int count = (int) Libc.check("read", "a child's channel", () -> Libc.read(own, buffer, wanted));
            if (count == 0) {
                break;
            }
            System.arraycopy(buffer, 0, all, length, count);
            length += count;
        }
        return Arrays.copyOf(all, length);
    }

    @Override
    public void close() {
        closeChildsEnd();
        Libc.close(own);
    }
}

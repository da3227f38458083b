package io.carlos.model.linux.process;

import com.sun.jna.Memory;

/**
 * The read end of a pipe. One thread reads and closes it; any thread may abandon it. Unlike the streams of
 * {@link Process} it knows nothing of the writer's exit: it ends when the last process has closed its write end.
 */
public final class PipeReader implements AutoCloseable {
    /** What {@link #read} returns when nothing more will come. */
    public static final int END = -1;

    private static final int NOTHING_YET = -2;

    private final PipeEnd pipe;

    /** JNA would copy an array to the kernel's side and back; from here, what came is copied once. */
    private Memory received = new Memory(1);

    /** Takes over the descriptor, also when it fails. */
    PipeReader(int descriptor) throws ProcessCallException {
        pipe = new PipeEnd(descriptor, Libc.POLLIN);
    }

    /**
     * Blocks the platform thread until there are bytes, and takes what there is.
     *
     * @return how many bytes were put at the buffer's start, or {@link #END} when every writer has closed the pipe or
     *     it was abandoned
     */
    public int read(byte[] buffer) throws ProcessCallException {
        int count = readNow(buffer);
        while (count == NOTHING_YET) {
            pipe.await();
            count = readNow(buffer);
        }
        return count;
    }

    private int readNow(byte[] buffer) throws ProcessCallException {
        if (pipe.isAbandoned()) {
            return END;
        }
        if (received.size() < buffer.length) {
            received.close();
            received = new Memory(buffer.length);
        }
        int count = (int) Libc.read(pipe.descriptor(), received, buffer.length);
        if (count < 0) {
            int errno = Libc.lastErrno();
            if (errno == ProcessCallException.EAGAIN || errno == ProcessCallException.EINTR) {
                return NOTHING_YET;
            }
            throw new ProcessCallException("read", "a pipe", errno);
        }
        received.read(0, buffer, 0, count);
        return count == 0 ? END : count;
    }

    /**
     * Lets the writer run ahead of the reader by as much as this, where the system allows it: the fewer turns the two
     * take, the less it costs.
     */
    void widen(int bytes) {
        // Users have a limit for all of their pipes together; over it, the pipe stays as it is.
        Libc.fcntl(pipe.descriptor(), Libc.F_SETPIPE_SZ, bytes);
    }

    /** Has the present and every later {@link #read} return {@link #END}, although somebody may write yet. */
    public void abandon() throws ProcessCallException {
        pipe.abandon();
    }

    /** Writers get {@code EPIPE} from now on. */
    @Override
    public void close() {
        pipe.close();
        received.close();
    }
}

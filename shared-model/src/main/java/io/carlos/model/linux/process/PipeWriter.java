package io.carlos.model.linux.process;

import java.util.Arrays;

/** The write end of a pipe. One thread writes and closes it; any thread may abandon it. */
public final class PipeWriter implements AutoCloseable {
    private final PipeEnd pipe;

    /** Takes over the descriptor, also when it fails. */
    PipeWriter(int descriptor) throws ProcessCallException {
        pipe = new PipeEnd(descriptor, Libc.POLLOUT);
    }

    /**
     * Blocks the platform thread until the pipe has taken all bytes.
     *
     * @return whether it has; false when every reader has closed the pipe, or it was abandoned
     */
    public boolean write(byte[] bytes) throws ProcessCallException {
        byte[] left = bytes;
        while (left.length > 0) {
            pipe.await();
            int written = pipe.isAbandoned() ? -1 : writeSome(left);
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
            return (int) Libc.check("write", "a pipe", () -> Libc.write(pipe.descriptor(), bytes, bytes.length));
        } catch (ProcessCallException e) {
            return switch (e.errno()) {
                case ProcessCallException.EAGAIN -> 0;
                case ProcessCallException.EPIPE -> -1;
                default -> throw e;
            };
        }
    }

    /** Has the present and every later {@link #write} return false, although somebody may read yet. */
    public void abandon() throws ProcessCallException {
        pipe.abandon();
    }

    /** The reader sees the end once it has read everything; closing again does nothing. */
    @Override
    public void close() {
        pipe.close();
    }
}

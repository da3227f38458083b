package io.carlos.guest.exec;

import io.carlos.model.linux.process.PipeWriter;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The standard input of a running command. Bytes that nobody reads any more are dropped, as a shell's pipe drops
 * them.
 */
public final class Stdin {
    private final PipeWriter pipe;

    /** Held while a write is under way, so that the pipe's number is not given out anew under it. */
    private final ReentrantLock writing = new ReentrantLock();

    private boolean closed;

    Stdin(PipeWriter pipe) {
        this.pipe = pipe;
    }

    /** Blocks the platform thread until the command has taken all bytes, or will take none any more. */
    public void write(byte[] bytes) throws IOException {
        writing.lock();
        try {
            if (!closed && !pipe.write(bytes)) {
                closeNow();
            }
        } finally {
            writing.unlock();
        }
    }

    /** The end of the input; closing again does nothing. */
    public void close() {
        writing.lock();
        try {
            closeNow();
        } finally {
            writing.unlock();
        }
    }

    /** Also ends a write that is under way. */
    void abandon() throws IOException {
        pipe.abandon();
        close();
    }

    private void closeNow() {
        closed = true;
        pipe.close();
    }
}

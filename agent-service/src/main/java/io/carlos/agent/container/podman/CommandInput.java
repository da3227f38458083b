package io.carlos.agent.container.podman;

import io.carlos.model.linux.process.PipeWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/** The standard input of a command, by way of podman's. A write blocks its platform thread until podman has taken it. */
final class CommandInput extends OutputStream {
    private final String subject;
    private final PipeWriter pipe;

    /** Held while a write is under way, so that the pipe's number is not given out anew under it. */
    private final ReentrantLock writing = new ReentrantLock();

    private boolean closed;
    private volatile boolean ended;

    CommandInput(String subject, PipeWriter pipe) {
        this.subject = subject;
        this.pipe = pipe;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
        writing.lock();
        try {
            if (closed && !ended) {
                throw new IOException("the stream is closed");
            }
            if (ended || !pipe.write(Arrays.copyOfRange(bytes, start, start + length))) {
                throw new IOException(subject + ": the command has ended and reads no more");
            }
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void close() {
        writing.lock();
        try {
            closed = true;
            pipe.close();
        } finally {
            writing.unlock();
        }
    }

    /** The command has ended: ends a write that is under way, and every later one fails. */
    void abandon() throws IOException {
        ended = true;
        pipe.abandon();
        close();
    }
}

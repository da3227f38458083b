package io.carlos.agent.container.podman;

import io.carlos.model.linux.process.OutputPumps;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One output stream of a command, carried by a pump and read by somebody else. It holds one piece at a time, so that a
 * slow reader makes the command wait; it ends when it is known how the command did.
 */
final class CommandOutput extends InputStream implements OutputPumps.Sink {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private byte[] piece = new byte[0];
    private int offset;
    private boolean dropping;
    private boolean ended;
    private boolean closed;
    private @Nullable IOException failure;

    @Override
    public void write(byte[] bytes, int length) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (offset < piece.length && !dropping) {
                changed.await();
            }
            if (!dropping) {
                piece = Arrays.copyOf(bytes, length);
                offset = 0;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Keeps nothing that comes from now on; what has come can still be read. */
    void dropTheRest() {
        lock.lock();
        try {
            dropping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** @param cause what a reader gets in place of the stream's end, behind all that came before */
    void end(@Nullable IOException cause) {
        lock.lock();
        try {
            ended = true;
            failure = cause;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int start, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        lock.lock();
        try {
            awaitBytesOrEnd();
            if (closed) {
                throw new IOException("the stream is closed");
            }
            if (offset < piece.length) {
                int count = Math.min(length, piece.length - offset);
                System.arraycopy(piece, offset, buffer, start, count);
                offset += count;
                changed.signalAll();
                return count;
            }
            if (failure != null) {
                throw failure;
            }
            return -1;
        } finally {
            lock.unlock();
        }
    }

    private void awaitBytesOrEnd() throws InterruptedIOException {
        while (offset == piece.length && !ended && !closed) {
            try {
                changed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for a command's output");
            }
        }
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return closed ? 0 : piece.length - offset;
        } finally {
            lock.unlock();
        }
    }

    /** Throws away what comes from now on, so that the command need not wait for a reader. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            dropping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

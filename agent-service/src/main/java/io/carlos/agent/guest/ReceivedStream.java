package io.carlos.agent.guest;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One output stream of a remote command: pieces come in on one side and are read on the other. */
final class ReceivedStream extends InputStream {
    private final Runnable onTaken;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<ByteString> pieces = new ArrayDeque<>();
    private int offset;
    private boolean ended;
    private boolean closed;
    private @Nullable IOException failure;

    /** @param onTaken called for each piece that was read or thrown away: there is room for another */
    ReceivedStream(Runnable onTaken) {
        this.onTaken = onTaken;
    }

    void receive(ByteString piece) {
        boolean unwanted;
        lock.lock();
        try {
            unwanted = closed || piece.isEmpty();
            if (!unwanted) {
                pieces.add(piece);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (unwanted) {
            onTaken.run();
        }
    }

    /** What was received can still be read. */
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
        int count;
        boolean taken;
        lock.lock();
        try {
            ByteString piece = awaitPiece();
            if (piece == null) {
                return -1;
            }
            count = Math.min(length, piece.size() - offset);
            piece.substring(offset, offset + count).copyTo(buffer, start);
            offset += count;
            taken = offset == piece.size();
            if (taken) {
                pieces.remove();
                offset = 0;
            }
        } finally {
            lock.unlock();
        }
        if (taken) {
            onTaken.run();
        }
        return count;
    }

    /** @return null at the end of the stream */
    private @Nullable ByteString awaitPiece() throws IOException {
        while (pieces.isEmpty() && !ended && !closed) {
            try {
                changed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for a command's output");
            }
        }
        if (closed) {
            throw new IOException("the stream is closed");
        }
        if (pieces.isEmpty() && failure != null) {
            throw failure;
        }
        return pieces.peek();
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return pieces.stream().mapToInt(ByteString::size).sum() - offset;
        } finally {
            lock.unlock();
        }
    }

    /** Throws away what comes from now on, so that the command need not wait for a reader. */
    @Override
    public void close() {
        int dropped;
        lock.lock();
        try {
            closed = true;
            dropped = pieces.size();
            pieces.clear();
            offset = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (int i = 0; i < dropped; i++) {
            onTaken.run();
        }
    }
}

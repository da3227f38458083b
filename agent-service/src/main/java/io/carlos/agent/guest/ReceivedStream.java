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

/**
 * One output stream of a remote command: pieces come in on one side and are read on the other. Like a pipe, it takes some
 * bytes that nobody reads: a reader of the other stream need not read this one.
 */
final class ReceivedStream extends InputStream {
    /** As many as a pipe takes. */
    private static final int ROOM = 64 * 1024;

    /** More than a guest still has of a command that was killed, as a rule: it need not wait for a reader to be told of. */
    private static final int ROOM_FOR_THE_REST = 2 * 1024 * 1024;

    /** What a piece takes beside its bytes. */
    private static final int PIECE_COST = 64;

    private final Runnable onTaken;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<ByteString> pieces = new ArrayDeque<>();
    private int offset;
    private int unread;
    private int untaken;
    private int room = ROOM;
    private boolean wasFull;
    private boolean ended;
    private boolean closed;
    private @Nullable IOException failure;

    /** @param onTaken called for each piece, now or when enough was read or thrown away: there is room for another */
    ReceivedStream(Runnable onTaken) {
        this.onTaken = onTaken;
    }

    void receive(ByteString piece) {
        int taken;
        lock.lock();
        try {
            untaken++;
            if (!closed && !ended && !piece.isEmpty()) {
                pieces.add(piece);
                unread += piece.size();
                changed.signalAll();
            }
            taken = takeWhatFits();
        } finally {
            lock.unlock();
        }
        tell(taken);
    }

    private int takeWhatFits() {
        if (unread + (long) pieces.size() * PIECE_COST >= room) {
            wasFull = true;
            return 0;
        }
        int taken = untaken;
        untaken = 0;
        return taken;
    }

    private void tell(int taken) {
        for (int i = 0; i < taken; i++) {
            onTaken.run();
        }
    }

    /** Takes what a killed command has left, also when nobody reads it. */
    void takeTheRest() {
        int taken;
        lock.lock();
        try {
            room = ROOM_FOR_THE_REST;
            taken = takeWhatFits();
        } finally {
            lock.unlock();
        }
        tell(taken);
    }

    /** Whether a piece had to wait for the reader since this was asked last. */
    boolean wasFull() {
        lock.lock();
        try {
            boolean was = wasFull;
            wasFull = untaken > 0;
            return was;
        } finally {
            lock.unlock();
        }
    }

    /** What was received can still be read. The first end stands. */
    void end(@Nullable IOException cause) {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                failure = cause;
                changed.signalAll();
            }
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
        int taken;
        lock.lock();
        try {
            ByteString piece = awaitPiece();
            if (piece == null) {
                return -1;
            }
            count = Math.min(length, piece.size() - offset);
            piece.substring(offset, offset + count).copyTo(buffer, start);
            offset += count;
            unread -= count;
            if (offset == piece.size()) {
                pieces.remove();
                offset = 0;
            }
            taken = takeWhatFits();
        } finally {
            lock.unlock();
        }
        tell(taken);
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
            return unread;
        } finally {
            lock.unlock();
        }
    }

    /** Throws away what comes from now on, so that the command need not wait for a reader. */
    @Override
    public void close() {
        int taken;
        lock.lock();
        try {
            closed = true;
            pieces.clear();
            offset = 0;
            unread = 0;
            taken = takeWhatFits();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        tell(taken);
    }
}

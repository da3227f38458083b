package io.carlos.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connections of one listener, each read on a virtual thread of its own. */
final class Connections {
    private static final Logger log = LoggerFactory.getLogger(Connections.class);
    private static final int BUFFER_LENGTH = 32 * 1024;

    /**
     * More than a socket holds, which is twice {@code net.core.wmem_max} at most: whatever comes after it was written after the
     * listener's finish.
     */
    static final int LONGEST_REST = 512 * 1024;

    private static final Duration AS_LONG_AS_IT_TAKES = Duration.ofNanos(Long.MAX_VALUE);

    private final String subject;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<SocketChannel> open = new HashSet<>();
    private volatile boolean finishing;
    private int inSink;
    private boolean lost;
    private boolean cutOff;

    Connections(String subject) {
        this.subject = subject;
    }

    /** Reads the connection to its end; it is closed then. */
    void add(SocketChannel connection, StreamSink sink) {
        update(() -> open.add(connection));
        Thread.ofVirtual().name("read " + subject).start(() -> {
            try (connection) {
                carry(connection, sink);
            } catch (InterruptedException e) {
                log.debug("log stream: {}: its sink takes nothing more", subject);
            } catch (ClosedChannelException e) {
                log.debug("log stream: {}: cut off", subject);
            } catch (IOException | RuntimeException | Error e) {
                log.error("log stream: {}: bytes are lost", subject, e);
                lose();
            } finally {
                end(sink);
                update(() -> open.remove(connection));
            }
        });
    }

    private void carry(SocketChannel connection, StreamSink sink) throws IOException, InterruptedException {
        byte[] bytes = new byte[BUFFER_LENGTH];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int rest = LONGEST_REST;
        while (connection.read(buffer.clear()) >= 0) {
            if (finishing) {
                rest -= buffer.position();
                if (rest < 0) {
                    update(() -> cutOff = true);
                    return;
                }
            }
            update(() -> inSink++);
            try {
                sink.write(bytes, 0, buffer.position());
            } finally {
                update(() -> inSink--);
            }
        }
    }

    private void end(StreamSink sink) {
        update(() -> inSink++);
        try {
            sink.end();
        } catch (InterruptedException e) {
            log.debug("log stream: {}: its sink takes nothing more", subject);
        } catch (RuntimeException e) {
            log.error("log stream: {}: its end is lost", subject, e);
            lose();
        } finally {
            update(() -> inSink--);
        }
    }

    /** Notes that something was sent and not taken over. */
    void lose() {
        update(() -> lost = true);
    }

    /** Waits until all are at their end, and closes those that nobody ends within the bound. */
    StreamEnd finish(Duration bound) throws InterruptedException {
        finishing = true;
        if (!awaitEnd(bound)) {
            for (SocketChannel connection : cutOff()) {
                close(connection);
            }
            awaitEnd(AS_LONG_AS_IT_TAKES);
        }
        lock.lock();
        try {
            if (cutOff) {
                log.warn("log stream: {}: somebody still held it; it was read no further", subject);
            }
            return new StreamEnd(cutOff, lost);
        } finally {
            lock.unlock();
        }
    }

    private List<SocketChannel> cutOff() {
        lock.lock();
        try {
            cutOff = true;
            return List.copyOf(open);
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitEnd(Duration bound) throws InterruptedException {
        long left = bound.toNanos();
        lock.lockInterruptibly();
        try {
            while (!open.isEmpty()) {
                if (inSink > 0) {
                    changed.await();
                } else if (left > 0) {
                    left = changed.awaitNanos(left);
                } else {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    static void close(SocketChannel connection) {
        try {
            connection.close();
        } catch (IOException e) {
            log.warn("log stream: not closed: {}", e.getMessage());
        }
    }

    private void update(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

package io.carlos.model.linux.process;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries the output streams of one command to their sinks, each on a platform thread of its own (a blocking native
 * read would hold up the carrier of a virtual one). A pump takes no more from its pipe while the sink holds it, so
 * that the pipe fills and the command waits.
 */
public final class OutputPumps {
    private static final Logger log = LoggerFactory.getLogger(OutputPumps.class);

    /** Most runs print little: only a stream that fills the small buffer gets the large one. */
    private static final int SMALL_BUFFER = 4 * 1024;

    /** For a stream that has filled the small buffer; a pipe is made with an eighth of it. */
    private static final int WIDE_PIPE = 512 * 1024;

    /** How long such a stream is left alone when it is read to the end; the wide pipe is far from full by then. */
    private static final long GATHER_NANOS = 100_000;

    private final String subject;
    private final int largestPiece;
    private final List<Pump> pumps;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int running;
    private int inSink;
    private final Set<String> failed = new LinkedHashSet<>();

    /** Where the bytes of one stream go. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Takes over the first bytes of the array, which may be used again afterwards. May block for as long as it
         * likes.
         *
         * @throws InterruptedException nothing more will be taken
         */
        void write(byte[] bytes, int length) throws InterruptedException;
    }

    /** @param name names the stream in logs and in {@link #failed} */
    public record Stream(String name, PipeReader reader, Sink sink) {}

    /**
     * @param subject names the command in logs
     * @param largestPiece how many bytes a sink is given at most
     */
    public OutputPumps(String subject, int largestPiece, List<Stream> streams) {
        this.subject = subject;
        this.largestPiece = largestPiece;
        this.pumps = streams.stream().map(Pump::new).toList();
        this.running = pumps.size();
    }

    /**
     * Starts all; when that fails, {@link #discard} gives the pipes up.
     *
     * @param threads runs each task on a platform thread of its own
     */
    public void start(Executor threads) {
        for (Pump pump : pumps) {
            threads.execute(pump);
            pump.started = true;
        }
    }

    /** Closes the pipes whose pumps never started; the others end with the last writer. */
    public void discard() {
        for (Pump pump : pumps) {
            if (!pump.started) {
                pump.stream.reader().close();
            }
        }
    }

    /**
     * Waits until all streams are at their end and all they brought is taken over.
     *
     * @param bound how long to wait for the command's side; time in which the sink holds a pump does not count, because
     *     the command may be waiting for it
     * @return whether they are
     */
    public boolean awaitEnd(Duration bound) throws InterruptedException {
        Duration left = bound;
        lock.lockInterruptibly();
        try {
            while (running > 0) {
                if (inSink > 0) {
                    changed.await();
                } else if (left.isPositive()) {
                    long before = System.nanoTime();
                    changed.awaitNanos(left.toNanos());
                    left = left.minusNanos(System.nanoTime() - before);
                } else {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * As {@link #awaitEnd(Duration)}, with a bound on all of the time, whoever makes it long.
     *
     * @return whether the streams are at their end
     */
    public boolean awaitEndWithin(Duration bound) throws InterruptedException {
        long left = bound.toNanos();
        lock.lockInterruptibly();
        try {
            while (running > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return running == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for as long as it takes. */
    public void awaitEnd() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (running > 0) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends all streams, whoever may still hold their other ends; what was read already is still taken over. */
    public void abandon() throws ProcessCallException {
        for (Pump pump : pumps) {
            pump.stream.reader().abandon();
        }
    }

    /** The streams of which something was read and could not be handed over; final when all have ended. */
    public Set<String> failed() {
        lock.lock();
        try {
            return Set.copyOf(failed);
        } finally {
            lock.unlock();
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

    private final class Pump implements Runnable {
        private final Stream stream;
        private boolean started;

        Pump(Stream stream) {
            this.stream = stream;
        }

        @Override
        public void run() {
            try (PipeReader reader = stream.reader()) {
                carry(reader);
            } catch (InterruptedException e) {
                log.debug("output: {}: the sink of {} takes nothing more", subject, stream.name());
            } catch (IOException | RuntimeException | Error e) {
                log.error("output: {}: bytes are lost: {} cannot be carried on", subject, stream.name(), e);
                update(() -> failed.add(stream.name()));
            } finally {
                update(() -> running--);
            }
        }

        private void carry(PipeReader reader) throws IOException, InterruptedException {
            byte[] buffer = new byte[SMALL_BUFFER];
            int count = reader.read(buffer);
            while (count != PipeReader.END) {
                handOver(buffer, count);
                if (count == buffer.length && count < largestPiece) {
                    buffer = new byte[largestPiece];
                    reader.widen(WIDE_PIPE);
                } else if (buffer.length == largestPiece && count < largestPiece) {
                    // The pipe is empty. A command that prints much would wake this thread up for each of its writes,
                    // which costs the two more than all copying.
                    LockSupport.parkNanos(GATHER_NANOS);
                }
                count = reader.read(buffer);
            }
        }

        private void handOver(byte[] buffer, int count) throws InterruptedException {
            update(() -> inSink++);
            try {
                stream.sink().write(buffer, count);
            } finally {
                update(() -> inSink--);
            }
        }
    }
}

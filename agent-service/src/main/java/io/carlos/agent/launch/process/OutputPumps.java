package io.carlos.agent.launch.process;

import io.carlos.agent.launch.OutputSink;
import io.carlos.model.linux.process.PipeReader;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.SpawnedProcess;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries both output streams of one command to its sink, each on a platform thread of its own (a blocking native read
 * would hold up the carrier of a virtual one). A pump takes no more from its pipe while the sink holds it, so that the
 * pipe fills and the command waits.
 */
final class OutputPumps {
    private static final Logger log = LoggerFactory.getLogger(OutputPumps.class);

    /** Most runs print little: only a stream that fills the small buffer gets the large one. */
    private static final int SMALL_BUFFER = 4 * 1024;

    private static final int LARGE_BUFFER = 64 * 1024;

    private final RunId run;
    private final OutputSink sink;
    private final List<Pump> pumps;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int running;
    private int inSink;
    private final Set<OutputChannel> failed = EnumSet.noneOf(OutputChannel.class);

    OutputPumps(RunId run, SpawnedProcess process, OutputSink sink) {
        this.run = run;
        this.sink = sink;
        this.pumps = List.of(
                new Pump(OutputChannel.STDOUT, process.stdout()), new Pump(OutputChannel.STDERR, process.stderr()));
        this.running = pumps.size();
    }

    /** Starts both; when that fails, {@link #discard} gives the pipes up. */
    void start() {
        for (Pump pump : pumps) {
            Thread.ofPlatform().daemon().name(run.value() + "-" + pump.channel).start(pump);
            pump.started = true;
        }
    }

    /** Closes the pipes whose pumps never started; the others end with the last writer. */
    void discard() {
        for (Pump pump : pumps) {
            if (!pump.started) {
                pump.reader.close();
            }
        }
    }

    /**
     * Waits until both streams are at their end and all they brought is taken over.
     *
     * @param bound how long to wait for the command's side; time in which the sink holds a pump does not count, because
     *     the command may be waiting for it
     * @return whether they are
     */
    boolean awaitEnd(Duration bound) throws InterruptedException {
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

    /** Waits for as long as it takes. */
    void awaitEnd() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (running > 0) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends both streams, whoever may still hold their other ends; what was read already is still taken over. */
    void abandon() throws ProcessCallException {
        for (Pump pump : pumps) {
            pump.reader.abandon();
        }
    }

    /** The streams of which something was read and could not be handed over; final when both have ended. */
    Set<OutputChannel> failed() {
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
        private final OutputChannel channel;
        private final PipeReader reader;
        private boolean started;

        Pump(OutputChannel channel, PipeReader reader) {
            this.channel = channel;
            this.reader = reader;
        }

        @Override
        public void run() {
            try (reader) {
                carry();
            } catch (InterruptedException e) {
                log.info("launch: {}: the sink of {} takes nothing more", run, channel);
            } catch (IOException | RuntimeException | Error e) {
                log.error("launch: {}: output is lost: {} cannot be carried on", run, channel, e);
                update(() -> failed.add(channel));
            } finally {
                update(() -> running--);
            }
        }

        private void carry() throws IOException, InterruptedException {
            byte[] buffer = new byte[SMALL_BUFFER];
            int count = reader.read(buffer);
            while (count != PipeReader.END) {
                handOver(buffer, count);
                if (count == SMALL_BUFFER) {
                    buffer = new byte[LARGE_BUFFER];
                }
                count = reader.read(buffer);
            }
        }

        private void handOver(byte[] buffer, int count) throws InterruptedException {
            update(() -> inSink++);
            try {
                sink.write(channel, buffer, 0, count);
            } finally {
                update(() -> inSink--);
            }
        }
    }
}

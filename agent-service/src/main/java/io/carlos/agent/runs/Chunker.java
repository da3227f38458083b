package io.carlos.agent.runs;

import io.carlos.agent.launch.OutputSink;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.time.Scheduler;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a command's output into stored chunks, in order, with at most {@link ChunkAssembler#MAX_PENDING_BYTES} waiting
 * and one put under way. A slow store makes {@link #write} wait, which makes the command wait; nothing is dropped but
 * what is past the run's limit, and that is taken at {@link DiscardPace} until {@link #hurry}.
 */
final class Chunker implements OutputSink {
    private static final Logger log = LoggerFactory.getLogger(Chunker.class);

    private final Scheduler scheduler;
    private final ChunkStore chunks;
    private final Lock lock;
    private final Condition changed;
    private final ChunkAssembler assembler = new ChunkAssembler();
    private final DiscardPace pace;
    private final Runnable onLost;
    private final Scheduler.Task writer;

    private boolean hurried;
    private boolean closing;
    private boolean drained;
    private @Nullable LeaseLostException lost;
    private boolean abandoned;

    /** @param onLost told once when output can no longer be stored; the command should then be stopped */
    Chunker(String name, Scheduler scheduler, ChunkStore chunks, Runnable onLost) {
        this.scheduler = scheduler;
        this.chunks = chunks;
        this.lock = scheduler.newLock();
        this.changed = lock.newCondition();
        this.pace = new DiscardPace(scheduler.nanoTime());
        this.onLost = onLost;
        this.writer = scheduler.fork(name, this::storeChunks);
    }

    /** What was stored. */
    record Stored(long lastSeq, boolean truncated) {}

    @Override
    public void write(OutputChannel channel, byte[] bytes, int offset, int length) throws InterruptedException {
        lock.lock();
        try {
            int done = 0;
            while (done < length) {
                failIfClosed();
                boolean dropped = assembler.isFull();
                int taken = assembler.append(channel, bytes, offset + done, length - done, scheduler.nanoTime());
                done += taken;
                if (dropped) {
                    slowDown(taken);
                } else if (taken == 0) {
                    // Without a signal: two writers that wait would wake each other for as long as the store is away.
                    changed.await();
                } else {
                    changed.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void failIfClosed() throws InterruptedException {
        if (lost != null || abandoned || closing) {
            throw new InterruptedException("the run's output is closed");
        }
    }

    private void slowDown(int dropped) throws InterruptedException {
        long wait = pace.take(dropped, scheduler.nanoTime());
        long until = scheduler.nanoTime() + wait;
        for (long left = wait; !hurried && left > 0; left = until - scheduler.nanoTime()) {
            changed.await(left, TimeUnit.NANOSECONDS);
            failIfClosed();
        }
    }

    @Override
    public void hurry() {
        lock.lock();
        try {
            hurried = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stores what is waiting and returns when all of it is durable. Call it when both streams have ended; a write after
     * it fails.
     *
     * @throws LeaseLostException not all of it was stored, and nothing more will be
     */
    Stored close() throws InterruptedException, LeaseLostException {
        lock.lock();
        try {
            closing = true;
            changed.signalAll();
            while (!drained) {
                if (lost != null) {
                    throw lost;
                }
                changed.await();
            }
            return new Stored(assembler.lastSeq(), assembler.isTruncated());
        } finally {
            lock.unlock();
        }
    }

    /** Gives up: writers and the store task end, and what is waiting is dropped. */
    void abandon() {
        lock.lock();
        try {
            abandoned = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        writer.interrupt();
    }

    private void storeChunks() {
        try {
            Chunk chunk = next();
            while (chunk != null) {
                chunks.put(chunk);
                chunk = next();
            }
        } catch (LeaseLostException e) {
            log.error("chunk: output given up: {}", e.getMessage());
            giveUp(e);
        } catch (InterruptedException e) {
            giveUp(new LeaseLostException("the output was given up"));
        } catch (RuntimeException | Error e) {
            // Nobody else would store another chunk, and writers and the run's end would wait for it for ever.
            giveUp(new LeaseLostException("the output could not be stored: " + e));
            throw e;
        }
    }

    /** The next chunk, waiting for it; null when there will be no more. */
    private @Nullable Chunk next() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                if (abandoned) {
                    throw new InterruptedException("the output was given up");
                }
                if (closing) {
                    assembler.sealOpen();
                } else {
                    assembler.seal(scheduler.nanoTime());
                }
                Chunk chunk = assembler.poll();
                if (chunk != null) {
                    changed.signalAll();
                    return chunk;
                }
                if (closing) {
                    drained = true;
                    changed.signalAll();
                    return null;
                }
                OptionalLong due = assembler.dueAt();
                if (due.isPresent()) {
                    changed.await(Math.max(1, due.getAsLong() - scheduler.nanoTime()), TimeUnit.NANOSECONDS);
                } else {
                    changed.await();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(LeaseLostException e) {
        lock.lock();
        try {
            lost = e;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onLost.run();
    }
}

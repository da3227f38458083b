package io.carlos.agent.runs;

import io.carlos.model.runs.OutputChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of two streams into chunks with one seq, in the order of the calls. Pure: no locks, and time comes in as
 * an argument. Not safe for several threads.
 *
 * <p>A chunk holds one stream's bytes. It is sealed when it is full, when the other stream writes, or {@link
 * #FLUSH_AFTER} after its first byte. Past {@link #MAX_TOTAL_BYTES} of both streams together every byte is dropped.
 */
final class ChunkAssembler {
    static final int CHUNK_BYTES = 256 * 1024;
    static final long MAX_TOTAL_BYTES = 64L * 1024 * 1024;
    static final Duration FLUSH_AFTER = Duration.ofSeconds(1);

    /** What may wait here, sealed or open, before a writer has to wait. */
    static final int MAX_PENDING_BYTES = 2 * CHUNK_BYTES;

    /** How many sealed chunks may wait: streams that take turns byte by byte would otherwise pile up objects. */
    static final int MAX_PENDING_CHUNKS = 64;

    private final Deque<Chunk> sealed = new ArrayDeque<>();
    private byte[] open = new byte[0];
    private int openBytes;
    private @Nullable OutputChannel openChannel;
    private long openSince;
    private long nextSeq = 1;
    private long totalBytes;
    private int pendingBytes;
    private boolean truncated;

    /**
     * Takes over as many bytes as fit.
     *
     * @param now in nanoseconds, of the clock that {@link #seal} is called with
     * @return how many were taken or dropped past the limit; 0 when everything waiting must be stored first
     */
    int append(OutputChannel channel, byte[] bytes, int offset, int length, long now) {
        long allowed = MAX_TOTAL_BYTES - totalBytes;
        if (isFull() && length > 0) {
            truncated = true;
            return length;
        }
        if (sealed.size() >= MAX_PENDING_CHUNKS) {
            return 0;
        }
        if (openChannel != channel) {
            sealOpen();
        }
        int taken = (int) Math.min(Math.min(length, MAX_PENDING_BYTES - pendingBytes), allowed);
        taken = Math.min(taken, CHUNK_BYTES - openBytes);
        if (taken == 0) {
            return 0;
        }
        if (openBytes == 0) {
            openChannel = channel;
            openSince = now;
        }
        reserve(openBytes + taken);
        System.arraycopy(bytes, offset, open, openBytes, taken);
        openBytes += taken;
        pendingBytes += taken;
        totalBytes += taken;
        if (openBytes == CHUNK_BYTES) {
            sealOpen();
        }
        return taken;
    }

    /** Seals the open chunk when its time has come. */
    void seal(long now) {
        if (openBytes > 0 && now - openSince >= FLUSH_AFTER.toNanos()) {
            sealOpen();
        }
    }

    /** Seals the open chunk, however young. */
    void sealOpen() {
        if (openBytes > 0 && openChannel != null) {
            sealed.add(new Chunk(nextSeq++, openChannel, takeOpen()));
            openBytes = 0;
        }
        openChannel = null;
    }

    /** The next chunk to store, which then no longer counts as waiting; null when none is sealed. */
    @Nullable
    Chunk poll() {
        Chunk chunk = sealed.poll();
        if (chunk != null) {
            pendingBytes -= chunk.bytes().length;
        }
        return chunk;
    }

    /** When the open chunk is due, by the clock of {@link #append}; empty when none is open. */
    OptionalLong dueAt() {
        return openBytes == 0 ? OptionalLong.empty() : OptionalLong.of(openSince + FLUSH_AFTER.toNanos());
    }

    /** The seq of the newest sealed chunk; 0 before the first. */
    long lastSeq() {
        return nextSeq - 1;
    }

    /** Whether every further byte is dropped. */
    boolean isFull() {
        return totalBytes == MAX_TOTAL_BYTES;
    }

    /** Whether bytes past the limit were dropped. */
    boolean isTruncated() {
        return truncated;
    }

    /** A full chunk is handed over as it is, and the next one is likely to be full too; others are mostly short. */
    private byte[] takeOpen() {
        if (openBytes < CHUNK_BYTES) {
            return Arrays.copyOf(open, openBytes);
        }
        byte[] full = open;
        open = new byte[CHUNK_BYTES];
        return full;
    }

    private void reserve(int bytes) {
        if (open.length < bytes) {
            open = Arrays.copyOf(open, Math.min(CHUNK_BYTES, Math.max(bytes, open.length * 2)));
        }
    }
}

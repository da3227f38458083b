package io.carlos.agent.runs;

import java.util.concurrent.TimeUnit;

/**
 * How fast output that nobody keeps is taken from a command: a command that prints without end would otherwise keep the
 * box as busy with reading as it can print. Pure; nothing is saved up for later while little is printed. Not safe for
 * several threads.
 */
final class DiscardPace {
    /** Of both streams of a run together. */
    static final long BYTES_PER_SECOND = 4 * 1024 * 1024;

    /** What a read counts for at least: many small ones take the box as much time as large ones do. */
    static final int LEAST_BYTES = 4 * 1024;

    private long paidUntil;

    /** @param now in nanoseconds, of the clock that {@link #take} is called with */
    DiscardPace(long now) {
        this.paidUntil = now;
    }

    /** @return how many nanoseconds to wait before more is taken */
    long take(int bytes, long now) {
        if (paidUntil - now < 0) {
            paidUntil = now;
        }
        paidUntil += TimeUnit.SECONDS.toNanos(1) * Math.max(bytes, LEAST_BYTES) / BYTES_PER_SECOND;
        return paidUntil - now;
    }
}

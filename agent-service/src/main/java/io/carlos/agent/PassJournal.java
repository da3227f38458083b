package io.carlos.agent;

import io.carlos.agent.reconcile.PassReport;
import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of the passes of this start of the agent, and whether whoever makes them is still at it. */
public final class PassJournal implements PassListener {
    /**
     * After so long without any sign the driver is taken for stuck. No single call of a store takes as long: a pass that waits for
     * one is slow, and an end of the process would help nobody.
     */
    public static final Duration STUCK_AFTER = Duration.ofMinutes(5);

    private final Scheduler scheduler;
    private final Instant startedAt;
    private volatile Known known;
    private volatile long lastSign;
    private volatile @Nullable Thread driver;

    /**
     * What the passes came to.
     *
     * @param at when the last complete one ended; null when there was none
     * @param report of the last complete one; null when there was none
     * @param failure why the newest one was not complete; null when it was
     */
    public record Known(
            @Nullable Instant at,
            @Nullable PassReport report,
            @Nullable String failure) {}

    public PassJournal(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.startedAt = scheduler.now();
        this.known = new Known(null, null, null);
        this.lastSign = scheduler.nanoTime();
    }

    @Override
    public void looking() {
        driver = Thread.currentThread();
        sign();
    }

    @Override
    public void passed(PassReport report) {
        known = new Known(scheduler.now(), report, null);
        sign();
    }

    @Override
    public void failed(Exception cause) {
        Known before = known;
        known = new Known(before.at(), before.report(), String.valueOf(cause.getMessage()));
        sign();
    }

    /** The passes begin now: what came before them, however long it took, was no silence of theirs. */
    public void begun() {
        sign();
    }

    /** The store answered the calling thread: a long pass makes progress by it. */
    public void storeAnswered() {
        if (Thread.currentThread() == driver) {
            sign();
        }
    }

    private void sign() {
        lastSign = scheduler.nanoTime();
    }

    public Known known() {
        return known;
    }

    /** When this agent started. */
    public Instant startedAt() {
        return startedAt;
    }

    /** How long there has been no complete pass; counted from the start until there was one. */
    public Duration sinceComplete() {
        return Duration.between(Optional.ofNullable(known.at()).orElse(startedAt), scheduler.now());
    }

    /** How long there has been no sign of whoever makes the passes. */
    public Duration silence() {
        return Duration.ofNanos(scheduler.nanoTime() - lastSign);
    }

    public boolean isStuck() {
        return silence().compareTo(STUCK_AFTER) >= 0;
    }
}

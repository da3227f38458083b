package io.carlos.agent.runs;

import io.carlos.model.time.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** Where an execution waits for its command's own end or a reason to stop it, whichever comes first. */
final class StopSignal {
    private final Scheduler scheduler;
    private final Lock lock;
    private final Condition changed;
    private @Nullable StopReason reason;
    private boolean commandEnded;

    StopSignal(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.lock = scheduler.newLock();
        this.changed = lock.newCondition();
    }

    /** @param reason why to stop the command; null for none yet */
    record Seen(boolean commandEnded, @Nullable StopReason reason) {}

    /** The first reason stands, except that a lost lease outranks any other: then nothing may be written. */
    void raise(StopReason why) {
        lock.lock();
        try {
            if (reason == null || why instanceof StopReason.LeaseLost) {
                reason = why;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void commandEnded() {
        lock.lock();
        try {
            commandEnded = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    StopReason reason() {
        lock.lock();
        try {
            return reason;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for either, at most until {@code until} by the scheduler's nano time. */
    Seen await(long until) throws InterruptedException {
        lock.lock();
        try {
            while (reason == null && !commandEnded) {
                long left = until - scheduler.nanoTime();
                if (left <= 0) {
                    break;
                }
                changed.await(left, TimeUnit.NANOSECONDS);
            }
            return new Seen(commandEnded, reason);
        } finally {
            lock.unlock();
        }
    }
}

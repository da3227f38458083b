package io.carlos.model.time;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/** Room for so many at a time. Whoever comes first gets in first, and whoever gives up waiting leaves the queue. */
public final class WaitingRoom {
    private final Lock lock;
    private final Condition changed;
    private final Deque<Object> waiting = new ArrayDeque<>();
    private final Duration interval;
    private int free;

    /** @param interval how often somebody who waits looks whether to give up */
    public WaitingRoom(int places, Duration interval, Scheduler scheduler) {
        this.free = places;
        this.interval = interval;
        this.lock = scheduler.newLock();
        this.changed = lock.newCondition();
    }

    /**
     * Waits for a place.
     *
     * @param isGivenUp asked now and then while there is none
     * @return false when it was given up before there was room; after true, {@link #leave} must follow
     */
    public boolean enter(BooleanSupplier isGivenUp) throws InterruptedException {
        Object ticket = new Object();
        lock.lockInterruptibly();
        try {
            waiting.add(ticket);
            try {
                while (free == 0 || waiting.peek() != ticket) {
                    if (isGivenUp.getAsBoolean()) {
                        return false;
                    }
                    changed.await(interval.toNanos(), TimeUnit.NANOSECONDS);
                }
                free--;
                return true;
            } finally {
                waiting.remove(ticket);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a place that is free and that nobody waits for. */
    public boolean tryEnter() {
        lock.lock();
        try {
            boolean isFree = free > 0 && waiting.isEmpty();
            if (isFree) {
                free--;
            }
            return isFree;
        } finally {
            lock.unlock();
        }
    }

    /** Whether somebody waits for a place. */
    public boolean isAwaited() {
        lock.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Gives a place back. */
    public void leave() {
        lock.lock();
        try {
            free++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

package io.carlos.agent;

import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Time that passes when it is told to. */
public final class ManualClock implements Scheduler {
    public static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

    private volatile long nanos;

    public void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public void sleep(Duration duration) {
        throw new UnsupportedOperationException("nobody is to wait");
    }

    @Override
    public Task fork(String name, Runnable body) {
        throw new UnsupportedOperationException("nobody is to start " + name);
    }

    @Override
    public Lock newLock() {
        return new ReentrantLock();
    }
}

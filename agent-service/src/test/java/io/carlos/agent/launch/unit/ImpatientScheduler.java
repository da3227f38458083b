package io.carlos.agent.launch.unit;

import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A clock that a sleep moves on at once. */
final class ImpatientScheduler implements Scheduler {
    private long nanos;

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        nanos += duration.toNanos();
    }

    @Override
    public Task fork(String name, Runnable body) {
        throw new UnsupportedOperationException("fork");
    }

    @Override
    public Lock newLock() {
        return new ReentrantLock();
    }
}

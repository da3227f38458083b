package io.carlos.agent.instance;

import io.carlos.model.time.Scheduler;
import io.carlos.model.time.SystemScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The machine's scheduler, but who waits for a lock gets it before anybody who comes later. */
final class FairTurns implements Scheduler {
    private final Scheduler machine = new SystemScheduler();
    private final Queue<ReentrantLock> locks = new ConcurrentLinkedQueue<>();

    /** Whether somebody waits for any of the locks. */
    boolean isAwaited() {
        return locks.stream().anyMatch(ReentrantLock::hasQueuedThreads);
    }

    @Override
    public Lock newLock() {
        ReentrantLock lock = new ReentrantLock(true);
        locks.add(lock);
        return lock;
    }

    @Override
    public Instant now() {
        return machine.now();
    }

    @Override
    public long nanoTime() {
        return machine.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        machine.sleep(duration);
    }

    @Override
    public Task fork(String name, Runnable body) {
        return machine.fork(name, body);
    }
}

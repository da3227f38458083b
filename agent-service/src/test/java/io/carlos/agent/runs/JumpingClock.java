package io.carlos.agent.runs;

import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;

/** A scheduler whose wall clock somebody sets. */
final class JumpingClock implements Scheduler {
    private final Scheduler scheduler;
    private Duration ahead = Duration.ZERO;

    JumpingClock(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void jump(Duration by) {
        ahead = ahead.plus(by);
    }

    @Override
    public Instant now() {
        return scheduler.now().plus(ahead);
    }

    @Override
    public long nanoTime() {
        return scheduler.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        scheduler.sleep(duration);
    }

    @Override
    public Task fork(String name, Runnable body) {
        return scheduler.fork(name, body);
    }

    @Override
    public Lock newLock() {
        return scheduler.newLock();
    }
}

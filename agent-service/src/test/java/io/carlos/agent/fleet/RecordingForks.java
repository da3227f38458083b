package io.carlos.agent.fleet;

import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;

/** Starts no task, and keeps what it should have run. */
final class RecordingForks implements Scheduler {
    private final Scheduler time;
    private final List<Runnable> bodies = new ArrayList<>();

    /** @param time tells it */
    RecordingForks(Scheduler time) {
        this.time = time;
    }

    List<Runnable> bodies() {
        return bodies;
    }

    @Override
    public Task fork(String name, Runnable body) {
        bodies.add(body);
        return new Task() {
            @Override
            public void interrupt() {}

            @Override
            public void join() {}
        };
    }

    @Override
    public Instant now() {
        return time.now();
    }

    @Override
    public long nanoTime() {
        return time.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        time.sleep(duration);
    }

    @Override
    public Lock newLock() {
        return time.newLock();
    }
}

package io.carlos.model.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The machine's clock, virtual threads and locks. */
public final class SystemScheduler implements Scheduler {
    private static final Logger log = LoggerFactory.getLogger(SystemScheduler.class);

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    @Override
    public Task fork(String name, Runnable body) {
        Thread thread = Thread.ofVirtual()
                .name(name)
                .uncaughtExceptionHandler((failed, e) -> log.error("task: {}: ended by an exception", name, e))
                .start(body);
        return new ThreadTask(thread);
    }

    @Override
    public Lock newLock() {
        return new ReentrantLock();
    }

    private record ThreadTask(Thread thread) implements Task {
        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public void join() throws InterruptedException {
            thread.join();
        }
    }
}

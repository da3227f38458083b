package io.carlos.agent.logs;

import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;

/**
 * The listener of one unit for the time that the unit is there. What is read goes to the log of its host and role; a unit that prints
 * faster than its host may is not read from meanwhile, so that it waits, and nobody else does.
 */
public final class LogIntake {
    private final RoleLog role;
    private final Scheduler scheduler;
    private final Lock lock;
    private final Condition changed;
    private final StreamListener listener;
    private boolean hurried;
    private boolean connected;
    private int open;

    LogIntake(RoleLog role, Path path, Predicate<UserPrincipal> peers, Scheduler scheduler) throws IOException {
        this.role = role;
        this.scheduler = scheduler;
        this.lock = scheduler.newLock();
        this.changed = lock.newCondition();
        this.listener = StreamListener.open(path, peers, Connection::new);
    }

    /** Whether the unit was connected and is not any more: a hint that it has ended, and no proof. */
    public boolean hasEnded() {
        lock.lock();
        try {
            return connected && open == 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes over what the unit has printed to its end, at full speed, and is gone then. To be called when the unit has ended.
     *
     * @param bound how long a connection may stay open that somebody still holds
     */
    public void finish(Duration bound) throws InterruptedException {
        lock.lock();
        try {
            hurried = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        listener.finish(bound);
    }

    private void pause(Duration wait) throws InterruptedException {
        long until = scheduler.nanoTime() + wait.toNanos();
        lock.lockInterruptibly();
        try {
            for (long left = wait.toNanos(); !hurried && left > 0; left = until - scheduler.nanoTime()) {
                changed.await(left, TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    private void count(int connections) {
        lock.lock();
        try {
            connected = true;
            open += connections;
        } finally {
            lock.unlock();
        }
    }

    /** A splitter each, so that lines of two connections do not run into each other. */
    private final class Connection implements StreamSink {
        private final List<Part> parts = new ArrayList<>();
        private final LineSplitter splitter =
                new LineSplitter((text, continues) -> parts.add(new Part(text, continues)));

        Connection() {
            count(1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws InterruptedException {
            splitter.write(bytes, offset, length);
            int lines = parts.size();
            handOn();
            pause(role.budget().take(length, lines));
        }

        @Override
        public void end() throws InterruptedException {
            try {
                splitter.end();
                handOn();
            } finally {
                count(-1);
            }
        }

        private void handOn() throws InterruptedException {
            try {
                for (Part part : parts) {
                    role.add(scheduler.now(), part.text(), part.continues());
                }
            } finally {
                parts.clear();
            }
        }
    }

    private record Part(String text, boolean continues) {}
}

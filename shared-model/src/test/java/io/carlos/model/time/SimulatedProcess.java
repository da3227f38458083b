package io.carlos.model.time;

import io.carlos.model.time.Simulation.Fiber;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A process of a simulated world: its clock, its fibers and their locks; killing it ends all of them where they stand. */
public final class SimulatedProcess implements Scheduler {
    private final Simulation simulation;
    private final String name;
    private final Duration skew;
    private final List<Fiber> fibers = new ArrayList<>();
    private boolean killed;

    SimulatedProcess(Simulation simulation, String name, Duration skew) {
        this.simulation = simulation;
        this.name = name;
        this.skew = skew;
    }

    /** Unwinds a fiber of a killed process. An error, so that no code under test catches it. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /** Ends the process now, as kill -9 does; the calling fiber ends at its next wait if it is one of them. */
    public void kill() {
        killed = true;
        fibers.forEach(simulation::makeRunnable);
    }

    public boolean isKilled() {
        return killed;
    }

    @Override
    public Instant now() {
        return simulation.trueTime().plus(skew);
    }

    @Override
    public long nanoTime() {
        return simulation.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Fiber self = simulation.self();
        self.checkAlive();
        throwIfInterrupted(self);
        self.waitNumber++;
        simulation.setTimer(self, duration.toNanos());
        simulation.block(self);
        throwIfInterrupted(self);
    }

    @Override
    public Task fork(String task, Runnable body) {
        if (killed) {
            throw new Killed();
        }
        Fiber fiber = simulation.spawn(name + ": " + task, this, body);
        fibers.add(fiber);
        return new FiberTask(fiber);
    }

    @Override
    public Lock newLock() {
        return new FiberLock();
    }

    private static void throwIfInterrupted(Fiber fiber) throws InterruptedException {
        if (fiber.interrupted) {
            fiber.interrupted = false;
            throw new InterruptedException();
        }
    }

    private final class FiberTask implements Task {
        private final Fiber fiber;

        FiberTask(Fiber fiber) {
            this.fiber = fiber;
        }

        /** A fiber that waits for a lock goes back to waiting for it, as a thread does. */
        @Override
        public void interrupt() {
            fiber.interrupted = true;
            simulation.makeRunnable(fiber);
        }

        @Override
        public void join() throws InterruptedException {
            Fiber self = simulation.self();
            while (!fiber.ended) {
                throwIfInterrupted(self);
                fiber.joiners.add(self);
                simulation.block(self);
            }
        }
    }

    private final class FiberLock implements Lock {
        private final List<Fiber> waiters = new ArrayList<>();
        private Fiber owner;

        /** The driver, which cannot wait, may take a lock that is free: to look at what the fibers have come to. */
        @Override
        public void lock() {
            simulation.current().checkAlive();
            while (owner != null) {
                Fiber self = simulation.self();
                waiters.add(self);
                simulation.block(self);
                waiters.remove(self);
            }
            owner = simulation.current();
        }

        @Override
        public void unlock() {
            owner = null;
            waiters.forEach(simulation::makeRunnable);
        }

        @Override
        public Condition newCondition() {
            return new FiberCondition(this);
        }

        @Override
        public void lockInterruptibly() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryLock() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) {
            throw new UnsupportedOperationException();
        }
    }

    private final class FiberCondition implements Condition {
        private final FiberLock lock;
        private final List<Fiber> waiters = new ArrayList<>();

        FiberCondition(FiberLock lock) {
            this.lock = lock;
        }

        @Override
        public void await() throws InterruptedException {
            waitFor(-1);
        }

        @Override
        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            long until = simulation.now() + unit.toNanos(time);
            waitFor(unit.toNanos(time));
            return simulation.now() < until;
        }

        @Override
        public long awaitNanos(long nanos) throws InterruptedException {
            long until = simulation.now() + nanos;
            waitFor(nanos);
            return until - simulation.now();
        }

        private void waitFor(long nanos) throws InterruptedException {
            Fiber self = simulation.self();
            throwIfInterrupted(self);
            waiters.add(self);
            self.waitNumber++;
            if (nanos >= 0) {
                simulation.setTimer(self, nanos);
            }
            lock.unlock();
            try {
                simulation.block(self);
            } finally {
                waiters.remove(self);
            }
            lock.lock();
            throwIfInterrupted(self);
        }

        @Override
        public void signal() {
            if (!waiters.isEmpty()) {
                simulation.makeRunnable(waiters.removeFirst());
            }
        }

        @Override
        public void signalAll() {
            waiters.forEach(simulation::makeRunnable);
            waiters.clear();
        }

        @Override
        public void awaitUninterruptibly() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw new UnsupportedOperationException();
        }
    }
}

package io.carlos.model.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A world in which one fiber runs at a time, a seed decides which is next, and time moves only when all of them wait. The
 * code under test runs unchanged: it blocks through the {@link Scheduler} of its process, and the simulated ports call
 * {@link #step} and {@link #pause} where the real ones would go out. One seed is one schedule, whatever the machine does.
 *
 * <p>All of it is used from the fibers and from the one thread that calls {@link #run}, never from two at once, so there
 * are no locks here: handing over the baton is the only synchronisation.
 */
public final class Simulation implements AutoCloseable {
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private final Random random;
    private final List<Fiber> runnable = new ArrayList<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::order));
    private final Fiber driver = new Fiber("driver", null);
    private Fiber current = driver;
    private Runnable invariants = () -> {};
    private long now;
    private long limit;
    private long timerOrder;
    private long steps;
    private Throwable failure;
    private final List<Fiber> fibers = new ArrayList<>();
    private boolean closed;

    public Simulation(long seed) {
        // Neighbouring seeds alone would make the first draws of neighbours alike.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    /** The source of every choice; drawing from it elsewhere than in a fiber or before {@link #run} is a mistake. */
    public Random random() {
        return random;
    }

    public Instant trueTime() {
        return EPOCH.plusNanos(now);
    }

    /** How many times a fiber was chosen. */
    public long steps() {
        return steps;
    }

    /** Checked after every step; what it throws ends the run. */
    public void setInvariants(Runnable check) {
        this.invariants = check;
    }

    /** @param skew what its wall clock shows beyond the true time */
    public SimulatedProcess process(String name, Duration skew) {
        return new SimulatedProcess(this, name, skew);
    }

    /**
     * Runs until every fiber has ended or waits for good, or {@code atMost} of virtual time has passed.
     *
     * @return whether nothing was left to do
     * @throws AssertionError an invariant broke, or a fiber failed
     */
    public boolean run(Duration atMost) {
        limit = now + atMost.toNanos();
        driver.thread = Thread.currentThread();
        current = driver;
        handOn();
        driver.awaitBaton();
        current = driver;
        if (failure != null) {
            throw new AssertionError("at " + Duration.ofNanos(now) + ", step " + steps + ": " + failure, failure);
        }
        return runnable.isEmpty() && timers.isEmpty();
    }

    /** The name of the fiber that is running. */
    public String currentName() {
        return current.name;
    }

    /** Lets other fibers go first, as the seed decides. */
    public void step() {
        Fiber self = self();
        self.checkAlive();
        runnable.add(self);
        block(self);
    }

    /** Lets virtual time pass for this fiber alone. */
    public void pause(Duration duration) {
        Fiber self = self();
        self.checkAlive();
        self.waitNumber++;
        setTimer(self, duration.toNanos());
        block(self);
    }

    /** Ends every fiber where it stands, so that nothing of this world is kept; it cannot run again. */
    @Override
    public void close() {
        closed = true;
        for (Fiber fiber : fibers) {
            if (!fiber.ended) {
                current = fiber;
                fiber.giveBaton();
                join(fiber.thread);
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while a simulated world ends", e);
        }
    }

    Fiber spawn(String name, SimulatedProcess process, Runnable body) {
        Fiber fiber = new Fiber(name, process);
        fiber.thread = Thread.ofVirtual().name(name).unstarted(() -> {
            fiber.awaitBaton();
            try {
                fiber.checkAlive();
                body.run();
            } catch (SimulatedProcess.Killed e) {
                // Its process was killed; nothing of it goes on.
            } catch (Throwable e) {
                if (failure == null && !closed) {
                    failure = new AssertionError("fiber " + name + " failed", e);
                }
            }
            fiber.ended = true;
            fiber.joiners.forEach(this::makeRunnable);
            handOn();
        });
        fibers.add(fiber);
        runnable.add(fiber);
        fiber.thread.start();
        return fiber;
    }

    long now() {
        return now;
    }

    /** Whoever has the baton, the driver too. */
    Fiber current() {
        return current;
    }

    Fiber self() {
        if (current == driver) {
            throw new IllegalStateException("only a fiber can wait in a simulation");
        }
        return current;
    }

    void setTimer(Fiber fiber, long nanos) {
        timers.add(new Timer(now + Math.max(1, nanos), timerOrder++, fiber, fiber.waitNumber));
    }

    void makeRunnable(Fiber fiber) {
        if (!fiber.ended && fiber != current && !runnable.contains(fiber)) {
            fiber.waitNumber++;
            runnable.add(fiber);
        }
    }

    /** Gives the baton away and returns when it comes back. */
    void block(Fiber self) {
        handOn();
        self.awaitBaton();
        self.checkAlive();
    }

    private void handOn() {
        if (closed) {
            return;
        }
        if (failure == null) {
            try {
                invariants.run();
            } catch (Throwable e) {
                failure = e;
            }
        }
        Fiber next = failure == null ? choose() : driver;
        current = next;
        steps++;
        next.giveBaton();
    }

    private Fiber choose() {
        while (runnable.isEmpty()) {
            Timer timer = timers.peek();
            if (timer == null || timer.at > limit) {
                now = timer == null ? now : limit;
                return driver;
            }
            timers.poll();
            if (timer.waitNumber == timer.fiber.waitNumber && !timer.fiber.ended) {
                now = Math.max(now, timer.at);
                timer.fiber.waitNumber++;
                runnable.add(timer.fiber);
            }
        }
        int chosen = random.nextInt(runnable.size());
        Fiber fiber = runnable.get(chosen);
        Fiber last = runnable.removeLast();
        if (chosen < runnable.size()) {
            runnable.set(chosen, last);
        }
        return fiber;
    }

    /** @param waitNumber which wait of the fiber it ends; an outdated timer does nothing */
    private record Timer(long at, long order, Fiber fiber, long waitNumber) {}

    /** One thread of the simulated world. */
    final class Fiber {
        final String name;
        final SimulatedProcess process;
        final List<Fiber> joiners = new ArrayList<>();
        Thread thread;
        long waitNumber;
        boolean interrupted;
        boolean ended;
        private volatile boolean baton;

        Fiber(String name, SimulatedProcess process) {
            this.name = name;
            this.process = process;
        }

        void checkAlive() {
            if (closed || (process != null && process.isKilled())) {
                throw new SimulatedProcess.Killed();
            }
        }

        void giveBaton() {
            baton = true;
            LockSupport.unpark(thread);
        }

        void awaitBaton() {
            while (!baton) {
                LockSupport.park(this);
            }
            baton = false;
        }
    }
}

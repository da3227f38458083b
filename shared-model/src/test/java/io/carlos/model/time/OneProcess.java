package io.carlos.model.time;

import java.time.Duration;
import java.util.concurrent.Callable;

/** A simulation of one process, for tests of code that sleeps, waits or forks: only virtual time passes. */
public final class OneProcess {
    private static final Duration BOUND = Duration.ofDays(3);

    private final Simulation simulation;
    private final SimulatedProcess process;

    public OneProcess() {
        this(1);
    }

    public OneProcess(long seed) {
        this.simulation = new Simulation(seed);
        this.process = simulation.process("process", Duration.ZERO);
    }

    /** What a fiber does. */
    @FunctionalInterface
    public interface Body {
        void run() throws Exception;
    }

    public Simulation simulation() {
        return simulation;
    }

    public SimulatedProcess scheduler() {
        return process;
    }

    /** Starts a fiber; what it throws fails the next {@link #call} or {@link #run}. */
    public void fork(String name, Body body) {
        process.fork(name, () -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Does something at a later time of the simulation. */
    public void after(Duration delay, Body body) {
        fork("after " + delay, () -> {
            process.sleep(delay);
            body.run();
        });
    }

    /** Lets so much virtual time pass. */
    public void run(Duration time) {
        simulation.run(time);
    }

    /** Calls the body in a fiber and plays on until nothing is left to do; returns or throws what the body did. */
    @SuppressWarnings("unchecked")
    public <T> T call(Callable<T> body) throws Exception {
        Object[] returned = new Object[1];
        Throwable[] thrown = new Throwable[1];
        boolean[] ended = new boolean[1];
        process.fork("call", () -> {
            try {
                returned[0] = body.call();
            } catch (SimulatedProcess.Killed e) {
                throw e;
            } catch (Throwable e) {
                thrown[0] = e;
            }
            ended[0] = true;
        });
        simulation.run(BOUND);
        if (!ended[0]) {
            throw new AssertionError("the call still waits after " + BOUND);
        }
        if (thrown[0] instanceof Exception e) {
            throw e;
        }
        if (thrown[0] instanceof Error e) {
            throw e;
        }
        return (T) returned[0];
    }
}

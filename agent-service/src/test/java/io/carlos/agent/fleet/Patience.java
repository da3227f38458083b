package io.carlos.agent.fleet;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do, with a bound. */
final class Patience {
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final Duration LOOK = Duration.ofMillis(50);

    private Patience() {}

    static void await(String what, Callable<Boolean> condition) throws InterruptedException {
        long until = System.nanoTime() + BOUND.toNanos();
        try {
            while (!condition.call()) {
                if (System.nanoTime() - until > 0) {
                    throw new AssertionError("waited " + BOUND + " in vain for " + what);
                }
                LockSupport.parkNanos(LOOK.toNanos());
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("while waiting for " + what, e);
        }
    }
}

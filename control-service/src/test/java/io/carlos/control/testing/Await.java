package io.carlos.control.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition, but not for ever. */
public final class Await {
    private static final Duration BOUND = Duration.ofSeconds(60);

    private Await() {}

    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > BOUND.toNanos()) {
                throw new AssertionError("not within " + BOUND + ": " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }
}

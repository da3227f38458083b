package io.carlos.deploy.inside;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what must come about. */
final class Await {
    private static final Duration BOUND = Duration.ofMinutes(Lane.times(2, 10));
    private static final Duration LOOK = Duration.ofMillis(10);

    private Await() {}

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + BOUND + ": " + what);
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}

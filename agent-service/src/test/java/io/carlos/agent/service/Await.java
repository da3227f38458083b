package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what other threads do, with a bound. */
public final class Await {
    private static final Duration BOUND = Duration.ofSeconds(60);

    private Await() {}

    public static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                fail("not within " + BOUND + ": " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}

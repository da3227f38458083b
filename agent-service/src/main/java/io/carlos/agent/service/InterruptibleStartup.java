package io.carlos.agent.service;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A startup that ends when the process is told to end, also while it waits for the store or for the box's name. Spring's own
 * shutdown hook would wait for it, and so for the store, for ever.
 */
final class InterruptibleStartup {
    private static final long AGAIN_MILLIS = 200;

    private final Thread starting;
    private final CountDownLatch over = new CountDownLatch(1);

    private InterruptibleStartup(Thread starting) {
        this.starting = starting;
    }

    /** Does the startup on this thread, which is interrupted when the process is to end before it has returned. */
    static void run(Runnable startup) {
        InterruptibleStartup self = new InterruptibleStartup(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(new Thread(self::end, "startup-end"));
        try {
            startup.run();
        } finally {
            self.over.countDown();
        }
    }

    /** Again and again: a client of the store may take an interrupt for the end of one call, and the startup go on. */
    private void end() {
        try {
            while (over.getCount() > 0) {
                starting.interrupt();
                over.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

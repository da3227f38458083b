package io.carlos.store.s3;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Repeats a write that met another one, which S3 asks for: such an answer says that nothing was written and decides nothing.
 *
 * @param attempts how often a write is tried in all
 * @param firstPause the longest pause before the second attempt; each further one may be twice as long
 */
record RaceRetry(int attempts, Duration firstPause) {
    static final RaceRetry USUAL = new RaceRetry(8, Duration.ofMillis(20));

    /**
     * What the last attempt gives or throws.
     *
     * @param write throws an {@link S3Exception} that {@link S3Failures#isRace} knows when it met another one
     */
    <T> T call(Supplier<T> write) {
        Duration pause = firstPause;
        for (int attempt = 1; attempt < attempts; attempt++) {
            try {
                return write.get();
            } catch (S3Exception e) {
                if (!S3Failures.isRace(e) || !slept(pause)) {
                    throw e;
                }
            }
            pause = pause.multipliedBy(2);
        }
        return write.get();
    }

    /** Pauses for up to so long; false when the thread was interrupted, which stays pending. */
    private static boolean slept(Duration longest) {
        try {
            Thread.sleep(Duration.ofNanos(ThreadLocalRandom.current().nextLong(longest.toNanos() + 1)));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

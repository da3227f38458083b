package io.carlos.agent.simulation;

import java.time.Duration;
import java.util.Random;

/**
 * How badly the store behaves, drawn once a seed.
 *
 * @param unavailable the chance that a call is refused before it did anything
 * @param lost the chance that a write's answer is lost, whether or not it was done
 * @param late the chance that a write of a lost answer is done later, past others that were asked after it
 * @param latency the most that a way to or from the store takes
 * @param outage how long the store is away in the middle; zero for never
 */
record Faults(double unavailable, double lost, double late, Duration latency, Duration outage) {
    /** In milliseconds; a way there and one back are less than what a client waits. */
    private static final int[] LATENCIES = {50, 50, 50, 50, 50, 50, 5_000, 14_000};

    static Faults none() {
        return new Faults(0, 0, 0, Duration.ofMillis(20), Duration.ZERO);
    }

    static Faults draw(Random random) {
        boolean calm = random.nextInt(4) == 0;
        return new Faults(
                calm ? 0 : random.nextDouble() * 0.1,
                calm ? 0 : random.nextDouble() * 0.1,
                random.nextDouble(),
                Duration.ofMillis(LATENCIES[random.nextInt(LATENCIES.length)]),
                random.nextInt(3) == 0 ? Duration.ofSeconds(random.nextInt(120)) : Duration.ZERO);
    }
}

package io.carlos.agent.runs;

import java.time.Duration;

/** Waits between attempts: 100 ms, doubling up to 5 s. Pure. */
final class Backoff {
    static final Duration FIRST = Duration.ofMillis(100);
    static final Duration MAX = Duration.ofSeconds(5);

    private Duration next = FIRST;

    Duration next() {
        Duration current = next;
        Duration doubled = current.multipliedBy(2);
        next = doubled.compareTo(MAX) < 0 ? doubled : MAX;
        return current;
    }
}

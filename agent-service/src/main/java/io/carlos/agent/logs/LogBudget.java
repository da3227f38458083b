package io.carlos.agent.logs;

import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * What one host may still print: a bucket that fills by the limits' rates. It may be overdrawn by what was read already; how
 * long it then takes to fill again is how long nothing more is to be read.
 */
final class LogBudget {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LogLimits limits;
    private final Scheduler scheduler;
    private double seconds;
    private long filled;

    LogBudget(LogLimits limits, Scheduler scheduler) {
        this.limits = limits;
        this.scheduler = scheduler;
        this.seconds = capacity();
        this.filled = scheduler.nanoTime();
    }

    /** @return how long to wait before anything more is read; zero when there is no need */
    synchronized Duration take(int bytes, int lines) {
        long now = scheduler.nanoTime();
        seconds = Math.min(capacity(), seconds + (now - filled) / NANOS_PER_SECOND);
        filled = now;
        // Both limits in one unit: the time that printing it takes at the rate which it is slower by.
        seconds -= Math.max((double) bytes / limits.bytesPerSecond(), (double) lines / limits.linesPerSecond());
        return seconds >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-seconds * NANOS_PER_SECOND));
    }

    private double capacity() {
        return limits.burst().toNanos() / NANOS_PER_SECOND;
    }
}

package io.carlos.control.verb;

import java.time.Duration;

/**
 * How long a stop waits.
 *
 * <p>A stop that ends well takes at most {@link #untilKilled}: 50 s of the defaults. What then still lives, no signal
 * ends, and the rest of the time is for systemd to say so. The service that stops waits longer than that for what it is
 * doing: {@code spring.lifecycle.timeout-per-shutdown-phase}, 75 s. Its own unit has to give it more again, and to leave
 * the systemctl processes alone meanwhile: {@code TimeoutStopSec=90}, {@code KillMode=mixed}.
 *
 * @param begin for a unit that is being started to have begun
 * @param settle for the command of a unit that counts as started to tell that it has begun
 * @param grace for its command to end after SIGTERM
 * @param empty for its processes to be gone after systemd has stopped it
 * @param looks at a unit that is being started, or whose command tells nothing
 */
public record StopTimes(Duration begin, Duration settle, Duration grace, Duration empty, Looks looks) {
    public static final StopTimes DEFAULT = new StopTimes(
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(20),
            Duration.ofSeconds(30),
            new Looks(Duration.ofMillis(20), Duration.ofMillis(250)));

    /**
     * What those that are left have, once systemd stops the unit, before they are killed: {@code TimeoutStopSec=} of a
     * oneshot, and a second less by {@code ExecStop=} of the others.
     */
    private static final Duration SYSTEMDS_GRACE = Duration.ofSeconds(20);

    /** From the start of a stop until every process has been sent SIGKILL, at most. */
    public Duration untilKilled() {
        return begin.plus(grace).plus(SYSTEMDS_GRACE);
    }
}

package io.carlos.control.verb;

import java.time.Duration;

/**
 * How long a stop waits.
 *
 * @param begin for a unit that is being started to have begun
 * @param settle for the command of a unit that counts as started to tell that it has begun
 * @param grace for its command to end after SIGTERM
 * @param empty for its processes to be gone after systemd has stopped it
 * @param look the pause between two looks at a unit that tells nothing by itself
 */
public record StopTimes(Duration begin, Duration settle, Duration grace, Duration empty, Duration look) {
    public static final StopTimes DEFAULT = new StopTimes(
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(20),
            Duration.ofSeconds(30),
            Duration.ofMillis(20));
}

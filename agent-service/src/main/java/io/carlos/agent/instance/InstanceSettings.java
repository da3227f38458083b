package io.carlos.agent.instance;

import java.time.Duration;

/**
 * How patient a box is with its instances.
 *
 * @param acceptBound how long a program may take until its socket accepts a connection
 * @param acceptInterval how often that is tried
 * @param watchInterval how often the box looks whether a program has ended
 * @param wakeInterval how often an instance that should run is tried again while the box is not ready
 * @param logBound how long a log connection may stay open after its unit has ended
 * @param startsAtATime how many hosts are started or seeded side by side
 */
public record InstanceSettings(
        Duration acceptBound,
        Duration acceptInterval,
        Duration watchInterval,
        Duration wakeInterval,
        Duration logBound,
        int startsAtATime) {
    public static final InstanceSettings DEFAULT = new InstanceSettings(
            Duration.ofSeconds(30),
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            Duration.ofSeconds(15),
            Duration.ofSeconds(5),
            8);

    public InstanceSettings {
        if (startsAtATime < 1) {
            throw new IllegalArgumentException("instances: " + startsAtATime + " starts at a time, expected 1 or more");
        }
    }
}

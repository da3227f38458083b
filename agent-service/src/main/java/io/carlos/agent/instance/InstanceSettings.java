package io.carlos.agent.instance;

import java.time.Duration;

/**
 * How patient a box is with its instances.
 *
 * @param acceptBound how long a program may take until its socket accepts a connection
 * @param acceptInterval how often that is tried
 * @param watchInterval how often the box looks whether a program's log connection has ended
 * @param filesInterval how often it looks for the files that a program's end leaves
 * @param wakeInterval how often an instance that should run is tried again while the box is not ready
 * @param logBound how long a log connection may stay open after its unit has ended
 * @param releaseBound how long a stop waits for the launcher of a command beside the instance to be done with it
 * @param sweepBound how long whoever has all instances stopped waits for those that take their time
 * @param startsAtATime how many starts are asked of the control service side by side
 * @param seedsAtATime likewise of seeds, which it answers when they have ended
 */
public record InstanceSettings(
        Duration acceptBound,
        Duration acceptInterval,
        Duration watchInterval,
        Duration filesInterval,
        Duration wakeInterval,
        Duration logBound,
        Duration releaseBound,
        Duration sweepBound,
        int startsAtATime,
        int seedsAtATime) {
    /** The control channel has room for ten starts, of commands as well. */
    public static final InstanceSettings DEFAULT = new InstanceSettings(
            Duration.ofSeconds(30),
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofMinutes(2),
            5,
            3);

    public InstanceSettings {
        if (startsAtATime < 1 || seedsAtATime < 1) {
            throw new IllegalArgumentException("instances: " + startsAtATime + " starts and " + seedsAtATime
                    + " seeds at a time, expected 1 or more of each");
        }
    }
}

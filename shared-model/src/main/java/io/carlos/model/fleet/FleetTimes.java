package io.carlos.model.fleet;

import java.time.Duration;

/**
 * How soon a silent box is taken for lost. One number, from which the rest follows, since what a box may still do and what the
 * others may do already must never overlap. All boxes of a region have the same.
 *
 * @param lostAfter how long the same heartbeat must be seen until its box is taken for lost: from the end of the look that showed it
 *     first to the beginning of the one that shows it last
 */
public record FleetTimes(Duration lostAfter) {
    /** Less leaves no room for the writes that are under way. */
    public static final Duration LEAST = Duration.ofSeconds(5);

    /** A box that is silent for longer is not expected back. */
    public static final Duration MOST = Duration.ofDays(7);

    public static final FleetTimes DEFAULT = new FleetTimes(Duration.ofMinutes(5));

    public FleetTimes {
        if (lostAfter.compareTo(LEAST) < 0 || lostAfter.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "the time until a box is lost is " + lostAfter + ", expected " + LEAST + " to " + MOST);
        }
    }

    /** How often a box shows itself. */
    public Duration interval() {
        return lostAfter.dividedBy(5);
    }

    /**
     * How long after it began its last successful heartbeat a box may act on what it owns. Others see that heartbeat later than it
     * began, and wait longer: the difference covers writes that are under way.
     */
    public Duration freshFor() {
        return lostAfter.multipliedBy(3).dividedBy(5);
    }

    /** The longest time between two looks at the other boxes that still counts as looking on. */
    public Duration longestGap() {
        return lostAfter.multipliedBy(2).dividedBy(5);
    }
}

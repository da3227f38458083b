package io.carlos.model.fleet;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Which boxes of a region must be taken for lost, by one observer that looks at the listing of their heartbeats again and again.
 * It compares etags over its own clock for durations, so that no machine's wall clock matters: a box is lost when the same
 * heartbeat was there at every look for {@link FleetTimes#lostAfter}. An observer that did not look for a while, for whatever
 * reason, begins anew: the boxes may have been as blind as it was.
 *
 * <p>Used by one thread at a time.
 */
public final class FleetWatch {
    private final FleetTimes times;
    private Map<String, Sight> sights = new HashMap<>();
    private long lastLook;

    public FleetWatch(FleetTimes times) {
        this.times = times;
    }

    /** A heartbeat, and when this observer saw it first. */
    private record Sight(String etag, long since) {}

    /**
     * Takes note of one listing.
     *
     * @param etags the etag of each box's heartbeat
     * @param nanos the scheduler's time just before the listing was asked for
     */
    public void look(Map<String, String> etags, long nanos) {
        boolean blind = nanos - lastLook > times.longestGap().toNanos();
        Map<String, Sight> now = new HashMap<>();
        etags.forEach((box, etag) -> {
            Sight before = blind ? null : sights.get(box);
            now.put(box, before != null && before.etag().equals(etag) ? before : new Sight(etag, nanos));
        });
        sights = now;
        lastLook = nanos;
    }

    /** For how long the same heartbeat of a box was there at every look; nothing for a box without one. */
    public Duration silence(String box) {
        Sight sight = sights.get(box);
        return sight == null ? Duration.ZERO : Duration.ofNanos(lastLook - sight.since());
    }

    /** Whether the box must be taken for lost by the last look. A box without a heartbeat never is: nothing is known of it. */
    public boolean isLost(String box) {
        Sight sight = sights.get(box);
        return sight != null && lastLook - sight.since() >= times.lostAfter().toNanos();
    }
}

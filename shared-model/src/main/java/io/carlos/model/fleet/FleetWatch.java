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

    /** A heartbeat, and when this observer had seen it first. */
    private record Sight(String etag, long since) {}

    /**
     * Takes note of one listing.
     *
     * @param etags the etag of each box's heartbeat
     * @param before the scheduler's nano time just before the listing was asked for: what it shows was there at least until then
     * @param after the same when it was there: what it shows for the first time was there by then, but perhaps no earlier
     */
    public void look(Map<String, String> etags, long before, long after) {
        boolean blind = before - lastLook > times.longestGap().toNanos();
        Map<String, Sight> now = new HashMap<>();
        etags.forEach((box, etag) -> {
            Sight earlier = blind ? null : sights.get(box);
            now.put(box, earlier != null && earlier.etag().equals(etag) ? earlier : new Sight(etag, after));
        });
        sights = now;
        lastLook = before;
    }

    /** For how long the same heartbeat of a box was there at every look; nothing for a box without one. */
    public Duration silence(String box) {
        Sight sight = sights.get(box);
        return sight == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, lastLook - sight.since()));
    }

    /** Whether the box must be taken for lost by the last look. A box without a heartbeat never is: nothing is known of it. */
    public boolean isLost(String box) {
        Sight sight = sights.get(box);
        return sight != null && lastLook - sight.since() >= times.lostAfter().toNanos();
    }
}

package io.carlos.model.fleet;

import io.carlos.model.json.CarlosJson;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoredObject;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A box's sign of life, written anew all the time its agent lives, at {@code boxes/<region>/<box>.json}.
 *
 * @param epoch how often an agent has started as this box; the highest is the one that may act
 * @param bootId that start's token
 * @param beat grows by one with every write, so that no content ever returns
 * @param at the box's clock when it was written
 * @param lostAfterS seconds of silence until the box may be taken for lost, see {@link FleetTimes}
 * @param fencedBy who took the box for lost, whose agent may act on nothing from then on; null while it may
 */
public record Heartbeat(
        int schema,
        String box,
        String region,
        long epoch,
        String bootId,
        long beat,
        Instant at,
        long lostAfterS,
        @Nullable String fencedBy) {
    public static final int SCHEMA = 1;

    /** What the keys of all heartbeats begin with. */
    static final String PREFIX = "boxes/";

    private static final String SUFFIX = ".json";

    /** What the keys of a region's heartbeats begin with. */
    public static String prefix(String region) {
        return PREFIX + region + "/";
    }

    /** @throws io.carlos.store.InvalidKeyException when region or box is no segment of a key */
    public static ObjectKey key(String region, String box) {
        return ObjectKey.of(prefix(region) + box + SUFFIX);
    }

    /** A heartbeat as it is stored. */
    public record Stored(Heartbeat heartbeat, String etag) {}

    /**
     * The newest of a box; empty when there is none.
     *
     * @throws io.carlos.store.StoreException the store failed
     * @throws io.carlos.model.json.InvalidDocumentException what is stored there is no heartbeat of this version of Carlos
     */
    public static Optional<Stored> read(ObjectStore store, String region, String box) {
        return store.get(key(region, box)).map(object -> new Stored(decode(object), object.etag()));
    }

    /** The heartbeat in an object that was read. */
    static Heartbeat decode(StoredObject object) {
        return CarlosJson.read(object.key().toString(), object.value(), Heartbeat.class, SCHEMA);
    }

    /** The box that a key below {@link #prefix} is about; the key itself when it is about none. */
    public static String box(ObjectKey key) {
        String name = key.value().substring(key.value().lastIndexOf('/') + 1);
        return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
    }

    /**
     * Whether somebody who looks only once must take the box for lost, by the two machines' clocks.
     *
     * @param now the clock of whoever looks
     */
    public boolean isOverdue(Instant now) {
        return fencedBy != null || now.isAfter(at.plusSeconds(lostAfterS));
    }

    /** The last one of its agent: the next beat conflicts with it. */
    Heartbeat fenced(String by) {
        return new Heartbeat(SCHEMA, box, region, epoch, bootId, beat + 1, at, lostAfterS, by);
    }

    Heartbeat as(long newBeat, Instant now) {
        return new Heartbeat(SCHEMA, box, region, epoch, bootId, newBeat, now, lostAfterS, null);
    }
}

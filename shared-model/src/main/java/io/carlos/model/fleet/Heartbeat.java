package io.carlos.model.fleet;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoredObject;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A box's sign of life, written anew all the time its agent lives, at {@code boxes/<region>/<box>.json}.
 *
 * @param epoch counts the starts of agents as this box, anew when somebody has deleted the heartbeat: for people and for claims
 * @param bootId the token of the start that has the name, the only one that may act
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

    /** No agent lives to count so far. */
    private static final long MOST = 1L << 53;

    /**
     * What the keys of a region's heartbeats begin with.
     *
     * @throws io.carlos.store.InvalidKeyException when the region is no segment of a key
     */
    public static String prefix(String region) {
        return PREFIX + ObjectKey.segment(region) + "/";
    }

    /** @throws io.carlos.store.InvalidKeyException when region or box is no segment of a key */
    public static ObjectKey key(String region, String box) {
        return ObjectKey.of(prefix(region) + ObjectKey.segment(box + SUFFIX));
    }

    /**
     * A heartbeat as it is stored.
     *
     * @param storedAt when it was stored, by the store's clock
     */
    public record Stored(Heartbeat heartbeat, String etag, Instant storedAt) {
        /**
         * Whether somebody who looks only once must take the box for lost. No clock of a machine counts.
         *
         * @param storeTime the present time by the store's clock
         */
        public boolean isSilent(Instant storeTime) {
            return heartbeat.fencedBy != null || storeTime.isAfter(storedAt.plusSeconds(heartbeat.lostAfterS));
        }
    }

    /**
     * The newest of a box; empty when there is none.
     *
     * @throws io.carlos.store.StoreException the store failed
     * @throws io.carlos.model.json.InvalidDocumentException what is stored there is no heartbeat of this version of Carlos
     */
    public static Optional<Stored> read(ObjectStore store, String region, String box) {
        return store.get(key(region, box))
                .map(object -> new Stored(decode(object), object.etag(), object.lastModified()));
    }

    /**
     * The heartbeat in an object that was read.
     *
     * @throws io.carlos.model.json.InvalidDocumentException it is none, or another box's, or has numbers that no agent writes
     */
    static Heartbeat decode(StoredObject object) {
        String document = object.key().toString();
        Heartbeat found = CarlosJson.read(document, object.value(), Heartbeat.class, SCHEMA);
        if (!document.equals(PREFIX + found.region + "/" + found.box + SUFFIX)) {
            throw new InvalidDocumentException(
                    document, "it is the heartbeat of box " + found.box + " of region " + found.region);
        }
        requireWithin(document, "epoch", found.epoch, 1, MOST);
        requireWithin(document, "beat", found.beat, 1, MOST);
        requireWithin(
                document, "lost_after_s", found.lostAfterS, FleetTimes.LEAST.toSeconds(), FleetTimes.MOST.toSeconds());
        return found;
    }

    private static void requireWithin(String document, String member, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidDocumentException(
                    document, member + " is " + value + ", expected " + least + " to " + most);
        }
    }

    /** The box of the region that a key is about; empty when it is about none. */
    public static Optional<String> box(String region, ObjectKey key) {
        String prefix = prefix(region);
        String value = key.value();
        if (!value.startsWith(prefix) || !value.endsWith(SUFFIX)) {
            return Optional.empty();
        }
        String box = value.substring(prefix.length(), value.length() - SUFFIX.length());
        return box.isEmpty() || box.contains("/") ? Optional.empty() : Optional.of(box);
    }

    /**
     * Whether the box seems to be lost by the two machines' clocks, which may be wrong: to be shown to people.
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

package io.carlos.model.fleet;

import io.carlos.model.json.CarlosJson;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreClock;
import io.carlos.store.StoredObject;
import java.util.Optional;

/**
 * Takes a silent box for lost, by one swap of its heartbeat. Either the swap holds, and the box's own next beat fails and its
 * agent never acts again; or the box was first, and is not lost. So whoever has fenced a box may take what it owned, however long
 * the box was only asleep.
 */
public final class Fence {
    private Fence() {}

    /**
     * Fences a box whose heartbeat is still the given one.
     *
     * @param etag the heartbeat's, as it was all the time that the box was silent
     * @param by who does it, for people
     * @return the etag of the fenced heartbeat; empty when the box is not lost
     * @throws io.carlos.store.StoreException it is not known; trying again is safe
     * @throws io.carlos.model.json.InvalidDocumentException what is stored there is no heartbeat of this version of Carlos
     */
    public static Optional<String> close(ObjectStore store, String region, String box, String etag, String by) {
        ObjectKey key = Heartbeat.key(region, box);
        Optional<StoredObject> found =
                store.get(key).filter(object -> object.etag().equals(etag));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Heartbeat last = Heartbeat.decode(found.get());
        if (last.fencedBy() != null) {
            return Optional.of(etag);
        }
        try {
            return Optional.of(store.put(key, CarlosJson.write(last.fenced(by)), Precondition.ifMatch(etag)));
        } catch (CasConflictException | AmbiguousWriteException e) {
            // Fenced is fenced, by this or by another; anything else is the box itself, or a swap that may yet land.
            return store.get(key)
                    .filter(object -> isFenced(Heartbeat.decode(object), last))
                    .map(StoredObject::etag);
        }
    }

    /**
     * Fences a box for somebody who looks once, if by the store's own clock its heartbeat is older than the time after which it may
     * be taken for lost: no clock of a machine counts.
     *
     * @return the heartbeat of the fenced start; empty when the box is not lost
     * @throws io.carlos.store.StoreException it is not known; trying again is safe
     * @throws io.carlos.model.json.InvalidDocumentException what is stored there is no heartbeat of this version of Carlos
     */
    public static Optional<Heartbeat> closeSilent(
            ObjectStore store, StoreClock clock, String region, String box, String by) {
        Optional<Heartbeat.Stored> last = Heartbeat.read(store, region, box);
        if (last.isEmpty() || !last.get().isSilent(clock.read())) {
            return Optional.empty();
        }
        return close(store, region, box, last.get().etag(), by)
                .map(etag -> last.get().heartbeat());
    }

    private static boolean isFenced(Heartbeat newest, Heartbeat last) {
        return newest.fencedBy() != null && newest.bootId().equals(last.bootId());
    }
}

package io.carlos.agent.simulation;

import io.carlos.model.fleet.Heartbeat;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.InstanceRecord;
import io.carlos.store.ObjectKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Whose name each box's agent had when others took records from it. */
final class TakeOvers {
    private final Map<String, Start> starts = new HashMap<>();

    /** The newest start of a box. */
    private record Start(String bootId, boolean fenced, Instant began) {}

    void stored(ObjectKey key, byte[] value, Instant now) {
        Heartbeat heartbeat = CarlosJson.read(key.value(), value, Heartbeat.class, Heartbeat.SCHEMA);
        boolean fenced = heartbeat.fencedBy() != null;
        starts.merge(
                heartbeat.box(),
                new Start(heartbeat.bootId(), fenced, now),
                (was, is) -> was.bootId().equals(is.bootId()) ? new Start(was.bootId(), fenced, was.began()) : is);
    }

    /**
     * What is wrong with a box taking a record from another, in words. The other may have begun anew since the record was read: what
     * it has done with it by then makes the swap fail.
     */
    Optional<String> problem(InstanceRecord before, InstanceRecord now, Instant lastRead) {
        Start owner = starts.get(before.box());
        if (before.box() == null || before.box().equals(now.box()) || owner == null) {
            return Optional.empty();
        }
        return owner.fenced() || !owner.began().isBefore(lastRead)
                ? Optional.empty()
                : Optional.of(now.box() + " takes " + now.ref() + " from " + before.box()
                        + ", though nobody has fenced its start " + owner.bootId());
    }
}

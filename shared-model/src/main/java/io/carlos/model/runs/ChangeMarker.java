package io.carlos.model.runs;

import io.carlos.model.records.Tokens;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/**
 * One small object for each region, overwritten after a run there was queued or cancelled, so that boxes learn of it
 * without listing. It says only that something has moved: losing it costs time, never a run.
 */
public final class ChangeMarker {
    private final ObjectStore store;
    private final ObjectKey key;

    /** @param region 1 to 255 characters of a key's segment */
    public ChangeMarker(ObjectStore store, String region) {
        this.store = store;
        this.key = ObjectKey.of("serial/" + region);
    }

    public ObjectKey key() {
        return key;
    }

    /** Tells the region's boxes that a run has changed. */
    public void bump(RandomGenerator random) {
        store.put(key, Tokens.next(random).getBytes(StandardCharsets.US_ASCII), Precondition.NONE);
    }

    /**
     * Looks once.
     *
     * @param knownEtag what the last look returned; empty before the first
     * @return the present etag; the same text when nothing has moved, and empty while there is no marker
     */
    public String look(String knownEtag) {
        return switch (store.getUnlessMatch(key, knownEtag)) {
            case ConditionalRead.Unchanged() -> knownEtag;
            case ConditionalRead.Changed(var object) -> object.etag();
            case ConditionalRead.Absent() -> "";
        };
    }
}

package io.carlos.agent.local;

import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoreException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leaves a box's records to whichever agent sees them next, once its own acts on nothing any more. */
public final class Handover {
    private static final Logger log = LoggerFactory.getLogger(Handover.class);

    private final String box;
    private final LocalRecords records;
    private final ChangeMarker marker;
    private final RandomGenerator random;

    public Handover(String box, ObjectStore store, RecordStore records, ChangeMarker marker, RandomGenerator random) {
        this.box = box;
        this.records = new LocalRecords(store, records);
        this.marker = marker;
        this.random = random;
    }

    /**
     * Releases all of them.
     *
     * @throws StoreException the store failed; calling again is safe
     * @throws RecordContendedException as {@link StoreException}
     */
    void release() throws InterruptedException {
        records.release(box);
        marker.bump(random); // another agent may claim them now
    }

    /** A record that keeps this box's name is taken over all the same, once somebody finds the box without an agent. */
    public void tryRelease() throws InterruptedException {
        try {
            release();
        } catch (StoreException | RecordContendedException e) {
            log.warn("agent: records not released: box={} cause={}", box, e.getMessage());
        }
    }
}

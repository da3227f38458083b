package io.carlos.agent.runs;

import io.carlos.model.runs.RunKeys;
import io.carlos.model.time.Scheduler;
import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreException;
import io.carlos.store.StoredObject;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the chunks of one run, each until it is durable. */
final class ChunkStore {
    private static final Logger log = LoggerFactory.getLogger(ChunkStore.class);

    private final ObjectStore store;
    private final Scheduler scheduler;
    private final RunKeys keys;
    private final Lease lease;

    ChunkStore(ObjectStore store, Scheduler scheduler, RunKeys keys, Lease lease) {
        this.store = store;
        this.scheduler = scheduler;
        this.keys = keys;
        this.lease = lease;
    }

    /**
     * Returns when the chunk is durable, by this call or an earlier attempt whose answer was lost.
     *
     * @throws LeaseLostException the run may belong to somebody else by now, so nothing more is written for it
     */
    void put(Chunk chunk) throws InterruptedException, LeaseLostException {
        ObjectKey key = keys.chunk(chunk.seq(), chunk.channel());
        Backoff backoff = new Backoff();
        while (true) {
            lease.ensure();
            try {
                store.put(key, chunk.bytes(), Precondition.CREATE_ONLY);
                return;
            } catch (CasConflictException e) {
                if (isStored(key, chunk)) {
                    return;
                }
            } catch (StoreException e) {
                log.warn(
                        "chunk: put failed, trying again: run={} seq={} cause={}",
                        keys.id(),
                        chunk.seq(),
                        e.getMessage());
            }
            scheduler.sleep(backoff.next());
        }
    }

    /**
     * Whether our own bytes are there.
     *
     * @throws LeaseLostException other bytes are there: somebody else writes this run's output
     */
    private boolean isStored(ObjectKey key, Chunk chunk) throws LeaseLostException {
        Optional<StoredObject> found;
        try {
            found = store.get(key);
        } catch (StoreException e) {
            return false;
        }
        if (found.isPresent() && !Arrays.equals(found.get().value(), chunk.bytes())) {
            throw new LeaseLostException("chunk " + chunk.seq() + " of run " + keys.id() + " was written by another");
        }
        return found.isPresent();
    }
}

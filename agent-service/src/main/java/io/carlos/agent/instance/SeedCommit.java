package io.carlos.agent.instance;

import io.carlos.model.names.Incarnation;
import io.carlos.model.records.RecordRef;

/** Tells the record that its instance's fresh seed has succeeded. */
@FunctionalInterface
public interface SeedCommit {
    /**
     * Returns when the record says so, or is not that incarnation's any more.
     *
     * @throws io.carlos.store.StoreException the store failed; the next pass tries again
     * @throws io.carlos.model.records.RecordContendedException likewise
     */
    void committed(RecordRef record, Incarnation incarnation) throws InterruptedException;
}

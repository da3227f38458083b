package io.carlos.agent.reconcile;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import java.util.List;
import java.util.Set;

/**
 * Is told after each complete pass which instances the box should have. After a pass that failed it is told nothing, so that a store
 * out of reach changes nothing on the box. Must not block.
 */
@FunctionalInterface
public interface InstanceSink {
    /**
     * @param owned the records of this box that are not in the trash, one a host
     * @param undecided records of which the pass learnt nothing, since they could not be read: what the box has of them stays as it is
     */
    void owned(List<InstanceRecord> owned, Set<RecordRef> undecided);
}

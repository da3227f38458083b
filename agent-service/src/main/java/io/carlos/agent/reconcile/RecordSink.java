package io.carlos.agent.reconcile;

import io.carlos.model.records.InstanceRecord;

/** Takes the records in scope that carry a run, once a pass each. Must not block. */
@FunctionalInterface
public interface RecordSink {
    void runSeen(InstanceRecord record);
}

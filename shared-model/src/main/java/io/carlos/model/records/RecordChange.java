package io.carlos.model.records;

import io.carlos.model.runs.Transition;

/** A change of a record: pure, since it is applied again to whatever another writer left in between. */
@FunctionalInterface
public interface RecordChange {
    Transition apply(InstanceRecord record);
}

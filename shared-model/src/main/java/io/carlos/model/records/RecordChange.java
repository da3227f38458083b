package io.carlos.model.records;

import io.carlos.model.runs.Transition;

/**
 * A change of a record. It is applied again to whatever another writer left in between, and again after a lost answer, so
 * it is pure, or what it does besides may be done any number of times.
 */
@FunctionalInterface
public interface RecordChange {
    Transition apply(InstanceRecord record);
}

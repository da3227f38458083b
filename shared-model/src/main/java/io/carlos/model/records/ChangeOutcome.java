package io.carlos.model.records;

import io.carlos.model.runs.Transition.Refusal;

/** What became of {@link RecordStore#change}. */
public sealed interface ChangeOutcome {
    /** The record is as asked. */
    record Applied(StoredRecord stored) implements ChangeOutcome {}

    /** The change function refused the newest record. */
    record Refused(Refusal reason, String detail) implements ChangeOutcome {}

    /** There is no such record. */
    record NoRecord() implements ChangeOutcome {}
}

package io.carlos.model.runs;

import io.carlos.model.records.InstanceRecord;

/** What a change function makes of a record. */
public sealed interface Transition {
    /** The record to write. */
    record Changed(InstanceRecord record) implements Transition {}

    /** The record is already as asked, by this caller's own earlier write or another's equal one: a success without a write. */
    record Already() implements Transition {}

    /** The change must not be made. */
    record Refused(Refusal reason, String detail) implements Transition {}

    /** Why a change is refused. */
    enum Refusal {
        /** Another run is open on the record. */
        RUN_CONFLICT,
        /** The record is trashed. */
        TRASHED,
        /** An import is not committed. */
        IMPORT,
        /** The run is not the record's newest. */
        OTHER_RUN,
        /** The run is in a state from which this change does not start. */
        OTHER_STATE,
        /** The run is past its pickup deadline. */
        PAST_DEADLINE,
        /** The run is still within its pickup deadline, or in the hands of a box that may be alive. */
        IN_TIME,
        /** The record belongs to another box. */
        OTHER_BOX
    }
}

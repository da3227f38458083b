package io.carlos.agent.instance;

import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import java.time.Instant;

/**
 * What must not be lost with a host's row while the host has data: whose it is, and what may be done on it.
 *
 * @param record the record that the row came from
 * @param incarnation whose data the instance's directory holds
 * @param seedCommitted whether the seed has succeeded on it: another one would begin from nothing
 * @param desired what was wanted of the instance
 */
record OwnerNote(int schema, RecordRef record, Incarnation incarnation, boolean seedCommitted, Desired desired) {
    static final int SCHEMA = 1;

    static OwnerNote of(InstanceRow row) {
        return new OwnerNote(SCHEMA, row.record(), row.incarnation(), row.seedCommitted(), row.desired());
    }

    /** Of an instance that has no row, since its box has no units. */
    static OwnerNote ofRunsAlone(RecordRef record, Incarnation incarnation) {
        return new OwnerNote(SCHEMA, record, incarnation, false, Desired.RUN);
    }

    Host host() {
        return record.host();
    }

    /** The row that was lost, as the record of the same incarnation has it now. */
    InstanceRow restored(InstanceRecord newest, Instant now) {
        InstanceRow row = InstanceRow.created(newest, now);
        if (seedCommitted) {
            row = row.withSeedCommitted();
        }
        return desired == Desired.STOPPED ? row.withDesired(Desired.STOPPED) : row;
    }
}

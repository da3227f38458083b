package io.carlos.agent.instance;

import io.carlos.model.records.InstanceRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What becomes of a host's row when its record was seen. Pure. */
sealed interface RowDecision {
    /** The row says what the record says. */
    record Keep() implements RowDecision {}

    /** The instance is new on this box, or back, and is to be woken. */
    record Create(InstanceRow row) implements RowDecision {}

    /** The row follows its record; what it says of starts holds from the next one on. */
    record Update(InstanceRow row) implements RowDecision {}

    /** The data is another's: nothing is started on it. */
    record Refuse(String reason) implements RowDecision {}

    /** @param hasData whether the host has a data directory */
    static RowDecision decide(@Nullable InstanceRow row, InstanceRecord record, boolean hasData, Instant now) {
        if (row == null) {
            return new Create(InstanceRow.created(record, now));
        }
        if (!row.incarnation().equals(record.incarnation())) {
            return hasData
                    ? new Refuse("its data directory holds the data of another incarnation of this host, once record "
                            + row.record() + ": move it away or remove it")
                    : new Create(InstanceRow.created(record, now));
        }
        if (row.desired() == Desired.GONE) {
            return new Create(row.updated(record).withDesired(Desired.RUN));
        }
        // A row never goes back to an older version: passes are handed on one after the other, and acted on later.
        return row.isUpToDate(record) || record.version() < row.recordVersion()
                ? new Keep()
                : new Update(row.updated(record));
    }
}

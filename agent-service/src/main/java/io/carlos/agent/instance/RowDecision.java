package io.carlos.agent.instance;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

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

    /**
     * For a host that has data and no row, which may have been lost, or never was: data that somebody has put there.
     *
     * @param owner empty when nobody knows whose it is
     * @param lostRow the file of a row that cannot be read
     */
    static RowDecision decideWithoutRow(
            Optional<OwnerNote> owner, Optional<Path> lostRow, InstanceRecord record, Instant now) {
        if (owner.isEmpty()) {
            return new Refuse(nobodys(lostRow));
        }
        return byNote(owner.get(), record, now);
    }

    private static RowDecision byNote(OwnerNote note, InstanceRecord record, Instant now) {
        return note.incarnation().equals(record.incarnation())
                ? new Create(note.restored(record, now))
                : new Refuse(anothers(note.record()));
    }

    /**
     * A row that is gone may have outlived its data: somebody has moved that away, and put another's in its place with the note of it.
     *
     * @param hasData whether the host has a data directory
     * @param owner what the note beside the data says, if anything
     */
    static RowDecision decide(
            InstanceRow row, InstanceRecord record, boolean hasData, Optional<OwnerNote> owner, Instant now) {
        boolean isGone = row.desired() == Desired.GONE;
        Optional<OwnerNote> anothers = owner.filter(note -> !note.incarnation().equals(row.incarnation()));
        if (isGone && hasData && anothers.isPresent()) {
            return byNote(anothers.get(), record, now);
        }
        if (!row.incarnation().equals(record.incarnation())) {
            return hasData ? new Refuse(anothers(row.record())) : new Create(InstanceRow.created(record, now));
        }
        if (isGone) {
            return new Create(row.updated(record).withDesired(Desired.RUN));
        }
        // A row never goes back to an older version: passes are handed on one after the other, and acted on later.
        return row.isUpToDate(record) || record.version() < row.recordVersion()
                ? new Keep()
                : new Update(row.updated(record));
    }

    /** @param lostRow the file of a row that cannot be read */
    static String nobodys(Optional<Path> lostRow) {
        return "nobody knows whose its data directory is, since "
                + lostRow.map(path -> path + " cannot be read").orElse("this box has no row of it")
                + ", nor a note of its owner beside the data: move it away or remove it; if it is this record's, put it back"
                + " once the instance has started without it and was stopped";
    }

    static String anothers(RecordRef owner) {
        return "its data directory holds the data of another incarnation of this host, once record " + owner
                + ": move it away or remove it";
    }
}

package io.carlos.cli.instances;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.store.OpenStore;
import io.carlos.model.fleet.Fence;
import io.carlos.model.fleet.Heartbeat;
import io.carlos.model.fleet.Moves;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunCloser;
import io.carlos.store.StoreClock;

/** Gives one instance to another box, by an operator, who looks once: the store's own clock tells which boxes are lost. */
final class InstanceMove {
    private final OpenStore open;
    private final InstanceRecord record;
    private final StoreClock clock;

    /** @param record as it was read before any box was looked at */
    InstanceMove(OpenStore open, InstanceRecord record) {
        this.open = open;
        this.record = record;
        this.clock = new StoreClock(open.objects(), open.records()::newToken);
    }

    /** @throws CliException the box is not there to take it, or has another instance of the host; nothing was changed */
    void to(String box) throws InterruptedException {
        requireAlive(box);
        requireNoOther(box);
        closeOutOfLost();
        InstanceChanges.requireApplied(
                record.ref(), "moved", open.records().change(record.ref(), newest -> Moves.move(newest, box)));
        open.bump(record.region());
    }

    private void requireAlive(String box) {
        Heartbeat.Stored beat;
        try {
            beat = Heartbeat.read(open.objects(), record.region(), box)
                    .orElseThrow(() -> new CliException(
                            CliExit.UNAVAILABLE,
                            "region " + record.region() + " has no box " + box
                                    + ": see its boxes with carlos box list"));
        } catch (InvalidDocumentException e) {
            throw new CliException(
                    CliExit.UNAVAILABLE, "box " + box + " cannot be told to be alive: " + e.getMessage());
        }
        if (beat.isSilent(clock.read())) {
            throw new CliException(
                    CliExit.UNAVAILABLE,
                    "box " + box + " is lost since " + beat.storedAt() + ": name one that is alive");
        }
    }

    /** An instance's directory is its host's: the box would leave the second one out, or give it the first one's data. */
    private void requireNoOther(String box) {
        for (RecordRef other : new InstanceLocator(open).refs(ref -> ref.host().equals(record.host()))) {
            if (!other.equals(record.ref()) && isOf(box, other)) {
                throw new CliException(
                        CliExit.REFUSED,
                        "box " + box + " has " + other + " of the same host; nothing was changed: name another box");
            }
        }
    }

    private boolean isOf(String box, RecordRef ref) {
        return open.records()
                .read(ref)
                .map(StoredRecord::record)
                .filter(other -> box.equals(other.box()) && other.region().equals(record.region()))
                .isPresent();
    }

    /** A lost box ends no run any more, whichever start of it has one; whoever waits for one must hear of it. */
    private void closeOutOfLost() throws InterruptedException {
        ActiveRun run = record.activeRun();
        if (run == null || !run.isHeld() || run.box() == null) {
            return;
        }
        if (Fence.closeSilent(open.objects(), clock, record.region(), run.box(), "an operator")
                .isPresent()) {
            open.closer().closeOut(record.ref(), run, RunCloser.BOX_WENT_AWAY);
        }
    }
}

package io.carlos.cli.instances;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.store.OpenStore;
import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.Transition;
import io.carlos.store.InvalidKeyException;
import io.carlos.store.ObjectKey;

/** What every command that changes an instance's record tells of it. */
final class InstanceChanges {
    private InstanceChanges() {}

    /** @throws CliException there is none, or none whose changes its region's boxes could be told of */
    static InstanceRecord record(OpenStore open, RecordRef ref) {
        InstanceRecord record =
                open.records().read(ref).orElseThrow(() -> gone(ref)).record();
        try {
            ObjectKey.segment(record.region());
        } catch (InvalidKeyException e) {
            throw new CliException(
                    CliExit.REFUSED,
                    ref.host() + " is in a region that can have no box; nothing was changed: " + e.getMessage());
        }
        return record;
    }

    static void requireApplied(RecordRef ref, String what, ChangeOutcome outcome) {
        switch (outcome) {
            case ChangeOutcome.Applied applied -> {}
            case ChangeOutcome.NoRecord() -> throw gone(ref);
            case ChangeOutcome.Refused(var reason, String detail) ->
                throw new CliException(
                        CliExit.REFUSED,
                        ref.host() + " was not " + what + ": " + detail
                                + (reason == Transition.Refusal.RUN_CONFLICT
                                        ? "; wait for it, or end it with carlos runs cancel"
                                        : "; nothing was changed"));
        }
    }

    static CliException gone(RecordRef ref) {
        return new CliException(CliExit.UNAVAILABLE, "the record of " + ref + " was deleted meanwhile");
    }
}

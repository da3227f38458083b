package io.carlos.model.fleet;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.Transition;
import io.carlos.model.runs.Transition.Refusal;
import java.time.Instant;

/** What an operator changes about an instance's record. Each method is pure and is one compare-and-swap. */
public final class Moves {
    private Moves() {}

    /**
     * Gives an instance to another box.
     *
     * @param to the label of the box; its agent takes it from there
     */
    public static Transition move(InstanceRecord record, String to) {
        if (record.isTrashed()) {
            return new Transition.Refused(Refusal.TRASHED, record.host() + " is in the trash");
        }
        if (to.equals(record.box())) {
            return new Transition.Already();
        }
        // A queued run is in no box's hands; the new owner picks it.
        ActiveRun run = record.activeRun();
        if (run != null && run.isHeld()) {
            return new Transition.Refused(
                    Refusal.RUN_CONFLICT, "box " + run.box() + " has run " + run.id() + " of " + record.host());
        }
        return new Transition.Changed(record.withBox(to));
    }

    /** Puts an instance into the trash: its box keeps its data, and it takes no runs. */
    public static Transition trash(InstanceRecord record, Instant now) {
        if (record.isTrashed()) {
            return new Transition.Already();
        }
        ActiveRun run = record.activeRun();
        if (run != null && run.isOpen()) {
            return new Transition.Refused(Refusal.RUN_CONFLICT, "run " + run.id() + " is open on " + record.host());
        }
        return new Transition.Changed(record.withTrashedAt(now));
    }
}

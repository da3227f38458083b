package io.carlos.model.runs;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Seed;
import io.carlos.model.runs.ActiveRun.Outcome;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.Transition.Already;
import io.carlos.model.runs.Transition.Changed;
import io.carlos.model.runs.Transition.Refusal;
import io.carlos.model.runs.Transition.Refused;
import java.time.Instant;
import java.util.Objects;

/**
 * The life of a run in its record. Each method is pure and is one compare-and-swap; the writer applies it to the newest
 * record until the swap holds, so each also recognises what its own earlier attempt has already done.
 *
 * <pre>
 *             admit            pick             finish
 *   (none) ─────────▶ queued ─────────▶ picked ─────────▶ done/finished
 *   done   ─────────▶   │                 │ cancel           ▲
 *                       │ cancel          ▼       finish     │
 *                       │               cancel ──────────────┘
 *                       ├──▶ done/cancelled
 *                       └──▶ done/expired      (expire)
 * </pre>
 *
 * <p>In {@code picked} and {@code cancel} two more swaps decide between the box that executes the run and somebody who
 * takes it for abandoned: {@link #renew} and {@link #takeForClosing}. Each makes the other one refuse.
 */
public final class RunTransitions {
    private RunTransitions() {}

    /** Queues a run on a record that has none open. */
    public static Transition admit(InstanceRecord record, RunId id, String by, Instant deadline) {
        ActiveRun run = record.activeRun();
        if (run != null && run.id().equals(id)) {
            return new Already();
        }
        if (record.isTrashed()) {
            return new Refused(Refusal.TRASHED, record.host() + " is in the trash");
        }
        Seed seed = record.seed();
        if (seed != null && seed.isUncommittedImport()) {
            return new Refused(Refusal.IMPORT, "the import of " + record.host() + " is not committed yet");
        }
        if (run != null && run.isOpen()) {
            return new Refused(Refusal.RUN_CONFLICT, "run " + run.id() + " is open on " + record.host());
        }
        return changed(record, ActiveRun.queued(id, by, deadline));
    }

    /**
     * Takes a queued run for one start of one box.
     *
     * @param now the box's clock; a run is never picked past its pickup deadline
     * @param deadline when the run should have ended
     */
    public static Transition pick(
            InstanceRecord record, RunId id, String box, String bootId, String attempt, Instant now, Instant deadline) {
        ActiveRun run = record.activeRun();
        if (run == null || !run.id().equals(id)) {
            return otherRun(record, id);
        }
        if (run.state() == State.PICKED && run.isPickedBy(box, bootId, attempt)) {
            return new Already();
        }
        if (run.state() != State.QUEUED) {
            return otherState(run);
        }
        if (now.isAfter(run.deadline())) {
            return new Refused(Refusal.PAST_DEADLINE, "run " + id + " had to be picked by " + run.deadline());
        }
        if (record.isTrashed()) {
            return new Refused(Refusal.TRASHED, record.host() + " is in the trash");
        }
        if (!box.equals(record.box())) {
            return new Refused(Refusal.OTHER_BOX, record.host() + " belongs to " + record.box());
        }
        return changed(record, run.picked(box, bootId, attempt, now, deadline));
    }

    /** Ends a queued run at once and asks the box of a picked one to stop it. */
    public static Transition cancel(InstanceRecord record, RunId id) {
        ActiveRun run = record.activeRun();
        if (run == null || !run.id().equals(id)) {
            return otherRun(record, id);
        }
        return switch (run.state()) {
            case QUEUED -> changed(record, run.done(Outcome.CANCELLED));
            case PICKED -> changed(record, run.cancelling());
            case CANCEL -> new Already();
            case DONE -> run.outcome() == Outcome.CANCELLED ? new Already() : otherState(run);
        };
    }

    /** Ends a queued run that no box picked in time. */
    public static Transition expire(InstanceRecord record, RunId id, Instant now) {
        ActiveRun run = record.activeRun();
        if (run == null || !run.id().equals(id)) {
            return otherRun(record, id);
        }
        if (run.state() == State.DONE && run.outcome() == Outcome.EXPIRED) {
            return new Already();
        }
        if (run.state() != State.QUEUED) {
            return otherState(run);
        }
        if (!now.isAfter(run.deadline())) {
            return new Refused(Refusal.IN_TIME, "run " + id + " may still be picked until " + run.deadline());
        }
        return changed(record, run.done(Outcome.EXPIRED));
    }

    /**
     * Moves the deadline of a run that this very attempt holds.
     *
     * @param deadline the new one; an earlier one than the record's changes nothing
     */
    public static Transition renew(
            InstanceRecord record, RunId id, String box, String bootId, String attempt, Instant deadline) {
        ActiveRun run = record.activeRun();
        if (run == null || !run.id().equals(id)) {
            return otherRun(record, id);
        }
        if (!run.isHeld()) {
            return otherState(run);
        }
        if (!run.isPickedBy(box, bootId, attempt)) {
            return new Refused(Refusal.OTHER_STATE, "run " + id + " is held by another attempt");
        }
        return deadline.isAfter(run.deadline()) ? changed(record, run.renewed(deadline)) : new Already();
    }

    /**
     * Takes a held run from its attempt, which from then on neither renews it nor writes for it.
     *
     * @param seen what it was when the closer decided: renewed or taken since then, it is not taken
     * @param closer a fresh token, in place of the attempt's
     */
    public static Transition takeForClosing(InstanceRecord record, ActiveRun seen, String closer) {
        ActiveRun run = record.activeRun();
        if (run == null || !run.id().equals(seen.id())) {
            return otherRun(record, seen.id());
        }
        if (!run.isHeld()) {
            return otherState(run);
        }
        if (closer.equals(run.attempt())) {
            return new Already();
        }
        if (!Objects.equals(run.attempt(), seen.attempt()) || !run.deadline().equals(seen.deadline())) {
            return new Refused(Refusal.OTHER_STATE, "run " + run.id() + " was renewed, or taken by another, meanwhile");
        }
        return changed(record, run.takenBy(closer));
    }

    /** Ends a run whose result is stored. */
    public static Transition finish(InstanceRecord record, RunId id) {
        ActiveRun run = record.activeRun();
        if (run == null || !run.id().equals(id)) {
            return otherRun(record, id);
        }
        return switch (run.state()) {
            case PICKED, CANCEL -> changed(record, run.done(Outcome.FINISHED));
            case DONE -> new Already();
            case QUEUED -> otherState(run);
        };
    }

    private static Transition changed(InstanceRecord record, ActiveRun run) {
        return new Changed(record.withActiveRun(run));
    }

    private static Transition otherRun(InstanceRecord record, RunId id) {
        ActiveRun run = record.activeRun();
        String newest = run == null ? "it has had no run" : "its newest is " + run.id();
        return new Refused(Refusal.OTHER_RUN, "run " + id + " is not open on " + record.host() + ": " + newest);
    }

    private static Transition otherState(ActiveRun run) {
        Object state = run.outcome() == null ? run.state() : run.outcome();
        return new Refused(Refusal.OTHER_STATE, "run " + run.id() + " is " + state);
    }
}

package io.carlos.model.runs;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The part of a record that says what became of its newest run. Only {@link RunTransitions} makes a changed one.
 *
 * @param outcome null until the run is done
 * @param by who asked for it, as the operator's tool says
 * @param deadline while queued: until when it may be picked; once picked: when it should have ended
 * @param box the box that picked it; null until then
 * @param bootId which start of that box's agent picked it; null until then
 * @param attempt the token of the pick, by which a worker whose answer was lost knows its own write, and without which
 *     it writes nothing for the run; whoever closes the run out puts a token of its own there first; null until the pick
 * @param pickedAt by the clock of the box that picked it; null until then, and for a box that does not tell
 * @param others members that this version of Carlos does not know; they are kept
 */
public record ActiveRun(
        RunId id,
        State state,
        @Nullable Outcome outcome,
        String by,
        Instant deadline,
        @Nullable String box,
        @Nullable String bootId,
        @Nullable String attempt,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant pickedAt,
        @JsonAnySetter @JsonAnyGetter Map<String, JsonNode> others) {
    public enum State {
        /** Asked for; no box has it. */
        QUEUED,
        /** A box has it, and alone may execute it. */
        PICKED,
        /** A box has it, and is asked to stop it. */
        CANCEL,
        /** Over; the outcome says how. */
        DONE;

        /** The text in a record. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public enum Outcome {
        FINISHED,
        CANCELLED,
        EXPIRED;

        /** The text in a record. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ActiveRun {
        others = Map.copyOf(others);
    }

    public static ActiveRun queued(RunId id, String by, Instant deadline) {
        return new ActiveRun(id, State.QUEUED, null, by, deadline, null, null, null, null, Map.of());
    }

    public boolean isOpen() {
        return state != State.DONE;
    }

    /** Whether a box has it now. */
    public boolean isHeld() {
        return state == State.PICKED || state == State.CANCEL;
    }

    /** Whether exactly this attempt of this start of this box has picked it. */
    public boolean isPickedBy(String ofBox, String ofBoot, String ofAttempt) {
        return ofBox.equals(box) && ofBoot.equals(bootId) && ofAttempt.equals(attempt);
    }

    ActiveRun picked(String byBox, String byBoot, String byAttempt, Instant at, Instant newDeadline) {
        return new ActiveRun(id, State.PICKED, null, by, newDeadline, byBox, byBoot, byAttempt, at, others);
    }

    ActiveRun renewed(Instant newDeadline) {
        return new ActiveRun(id, state, null, by, newDeadline, box, bootId, attempt, pickedAt, others);
    }

    ActiveRun takenBy(String closer) {
        return new ActiveRun(id, state, null, by, deadline, box, bootId, closer, pickedAt, others);
    }

    ActiveRun cancelling() {
        return new ActiveRun(id, State.CANCEL, null, by, deadline, box, bootId, attempt, pickedAt, others);
    }

    ActiveRun done(Outcome how) {
        return new ActiveRun(id, State.DONE, how, by, deadline, box, bootId, attempt, pickedAt, others);
    }
}

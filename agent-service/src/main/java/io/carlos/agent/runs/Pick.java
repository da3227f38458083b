package io.carlos.agent.runs;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.runs.Transition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of one start of one box to take a run.
 *
 * @param attempt a fresh token, by which the attempt knows its own swap when the answer was lost
 */
record Pick(RunId id, String box, String bootId, String attempt) {
    Transition apply(InstanceRecord record, Instant now, Instant deadline) {
        return RunTransitions.pick(record, id, box, bootId, attempt, now, deadline);
    }

    /** Moves the deadline, if the run is still this attempt's. */
    Transition renew(InstanceRecord record, Instant deadline) {
        return RunTransitions.renew(record, id, box, bootId, attempt, deadline);
    }

    /** Whether the record says that the run is this attempt's, and not over. */
    boolean holds(@Nullable ActiveRun run) {
        return run != null && run.id().equals(id) && run.isHeld() && run.isPickedBy(box, bootId, attempt);
    }
}

package io.carlos.model.runs;

import io.carlos.model.runs.Transition.Refusal;

/** What became of {@link RunSubmitter#submit}. */
public sealed interface SubmitOutcome {
    /** The run is queued: its record names it, and a box may pick it within {@link RunSubmitter#PICKUP_TIME}. */
    record Queued(RunRequest request) implements SubmitOutcome {}

    /** The record does not take the run; {@link Refusal#RUN_CONFLICT} when another one is open. */
    record Refused(Refusal reason, String detail) implements SubmitOutcome {}

    /** There is no such record. */
    record NoRecord() implements SubmitOutcome {}
}

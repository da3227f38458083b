package io.carlos.model.runs;

/** How following a run came to its end. */
public sealed interface FollowEnd {
    /** The run has a result, and every chunk up to its last seq was handed on. */
    record Ended(RunResult result) implements FollowEnd {}

    /**
     * The run has a result, which names chunks that the store does not have.
     *
     * @param missing the seq of the first of them; those before it were handed on
     */
    record Incomplete(RunResult result, long missing) implements FollowEnd {}

    /** The run was over before any box had it, and only the record says so. */
    record OverWhileQueued(ActiveRun.Outcome outcome) implements FollowEnd {}

    /** Nothing tells what became of the run: its record is gone or names a later run, and there is no result. */
    record Unknown(String detail) implements FollowEnd {}
}

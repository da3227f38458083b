package io.carlos.agent.runs;

import io.carlos.agent.BoxIdentity;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunCloser;
import java.time.Instant;

/** What a box does about a run that it sees in a record. */
sealed interface RunDecision {
    /** It is over, or somebody else's, or well under way here. */
    record LeaveAlone() implements RunDecision {}

    record Pick() implements RunDecision {}

    /** Tell the execution on this box to stop. */
    record ForwardCancel() implements RunDecision {}

    /** End it without executing it any further. */
    record CloseOut(String why) implements RunDecision {}

    /** The box that has it seems to be gone. */
    record CloseOutAbandoned() implements RunDecision {}

    /** It was not picked in time, by this or any other box. */
    record Expire() implements RunDecision {}

    /** The agent that picked it is gone; whatever it was doing is over. */
    String AGENT_RESTARTED = "the box's agent restarted";
    /** Picked by this very agent, which is not executing it. */
    String START_FAILED = "start failed";
    /** Picked by this very agent, which began it and gave it up. */
    String EXECUTION_LOST = "the box lost the run";

    /**
     * Decides from one reading of the record. Pure; whatever is done about it is a swap that looks at the newest record.
     *
     * @param executingHere whether this agent has an execution of that run, from before its pick to after its end
     * @param boxLost whether the box that has the run is lost for good
     */
    static RunDecision decide(
            InstanceRecord record,
            ActiveRun run,
            BoxIdentity box,
            boolean executingHere,
            boolean boxLost,
            Instant now) {
        return switch (run.state()) {
            case DONE -> new LeaveAlone();
            case QUEUED -> {
                if (executingHere) {
                    yield new LeaveAlone();
                }
                if (now.isAfter(run.deadline())) {
                    yield new Expire();
                }
                boolean owned = box.name().equals(record.box()) && !record.isTrashed();
                yield owned ? new Pick() : new LeaveAlone();
            }
            case PICKED, CANCEL -> {
                if (executingHere) {
                    yield run.state() == ActiveRun.State.CANCEL ? new ForwardCancel() : new LeaveAlone();
                }
                if (box.name().equals(run.box())) {
                    yield new CloseOut(box.bootId().equals(run.bootId()) ? START_FAILED : AGENT_RESTARTED);
                }
                if (boxLost && box.name().equals(record.box())) {
                    yield new CloseOut(RunCloser.BOX_WENT_AWAY);
                }
                yield RunCloser.isAbandoned(run, now) ? new CloseOutAbandoned() : new LeaveAlone();
            }
        };
    }
}

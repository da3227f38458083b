package io.carlos.agent.runs;

import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.UnreadableRecordException;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.Transition;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import io.carlos.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acts on the runs that a pass has seen. Each is acted on by a task of its own, so that one that hangs delays no other,
 * and by one task at a time: a run is among the executing from before its pick until after its record says done.
 */
public final class RunsWorker {
    /** Why a run ended that was executing when its agent stopped. */
    public static final String AGENT_STOPPED = "the box's agent stopped";

    /** How long executions that were given up have to kill their commands. */
    static final Duration GIVE_UP_BOUND = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(RunsWorker.class);

    private final RunsContext context;
    private final Scheduler scheduler;
    private final Map<RecordRef, InstanceRecord> noted = new ConcurrentHashMap<>();
    private final RunsInHand<RunExecution> inHand;
    private final Turns stagings;
    /** Given up by an execution of this agent, and not yet seen to be over. */
    private final Set<RunId> lost = ConcurrentHashMap.newKeySet();

    public RunsWorker(RunsContext context) {
        this.context = context;
        this.scheduler = context.scheduler();
        this.inHand = new RunsInHand<>(scheduler, context.settings().maxExecutions());
        this.stagings = new Turns(scheduler, context.settings().maxStagings());
    }

    /** Notes a record that carries a run, to be acted on after the pass. Never blocks. */
    public void runSeen(InstanceRecord record) {
        if (record.activeRun() != null) {
            noted.put(record.ref(), record);
        }
    }

    /** What was noted since the last call. */
    public List<InstanceRecord> takeNoted() {
        return List.copyOf(noted.keySet()).stream()
                .map(noted::remove)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Acts on every noted run, as {@link #actOnEach} does. */
    public void act() {
        actOnEach(takeNoted());
    }

    /** Acts on each, whatever becomes of the others; returns when a task is at each that needs one. */
    public void actOnEach(List<InstanceRecord> records) {
        for (InstanceRecord record : records) {
            try {
                act(record);
            } catch (RuntimeException e) {
                log.error("run: not acted on: record={}", record.ref(), e);
            }
        }
    }

    /** Acts on a record's run, if it has one; returns when a task is at it, should it need one. Safe from many threads. */
    public void act(InstanceRecord record) {
        if (record.activeRun() != null) {
            act(record, record.activeRun());
        }
    }

    /**
     * Picks no run from now on; what is executing goes on. Once {@link #executing} is empty after this, it stays so until
     * {@link #resume}.
     */
    public void drain() {
        inHand.drain();
    }

    /** Picks runs again. */
    public void resume() {
        inHand.resume();
    }

    /** Whether a run that was left queued, because too many executed, could be picked now; says so once. */
    public boolean hasRoomAgain() {
        return inHand.hasRoomAgain();
    }

    /** The runs that this agent has, from before their pick until after their end. */
    public Set<RunId> executing() {
        return inHand.executing();
    }

    private void act(InstanceRecord record, ActiveRun run) {
        RunId id = run.id();
        Optional<RunExecution> here = inHand.execution(id);
        if (here.isEmpty() && run.isOpen() && !context.fleet().mayWrite()) {
            return; // others may have taken it, and the box that wakes learns of that first
        }
        switch (RunDecision.decide(record, run, context.box(), here.isPresent(), isLost(run.box()), scheduler.now())) {
            case RunDecision.LeaveAlone() -> {
                if (!run.isOpen()) {
                    lost.remove(id);
                }
            }
            case RunDecision.Pick() -> execute(record.ref(), id);
            case RunDecision.ForwardCancel() -> here.ifPresent(execution -> execution.stop(new StopReason.Cancelled()));
            case RunDecision.CloseOut(String why) -> {
                String reason = lost.contains(id) ? RunDecision.EXECUTION_LOST : why;
                close(id, "close out", () -> closeOut(record.ref(), run, reason));
            }
            case RunDecision.CloseOutAbandoned() ->
                close(id, "close out", () -> context.closer().closeOutAbandoned(record.ref(), run));
            case RunDecision.Expire() ->
                close(id, "expire", () -> context.closer().expire(record.ref(), id));
        }
    }

    private ChangeOutcome closeOut(RecordRef ref, ActiveRun run, String why) throws InterruptedException {
        return isOver(run)
                ? context.closer().closeOut(ref, run, why)
                : new ChangeOutcome.Refused(
                        Transition.Refusal.OTHER_BOX, "a newer start of box " + run.box() + " may be at it");
    }

    /** Whether the start that has the run is over; asks the store, which since the record was read may show a newer one. */
    private boolean isOver(ActiveRun run) {
        if (context.box().name().equals(run.box())) {
            return context.box().bootId().equals(run.bootId())
                    || context.fleet().holdsName();
        }
        return run.box() != null && context.fleet().isStillLost(run.box());
    }

    private boolean isLost(@Nullable String box) {
        return box != null && context.fleet().isLost(box);
    }

    private void execute(RecordRef ref, RunId id) {
        RunExecution execution = new RunExecution(context, stagings, ref, id);
        if (!inHand.beginExecution(id, execution)) {
            log.debug("run: not begun: run={} host={}", id, ref.host());
            return;
        }
        Task task = scheduler.fork("run " + id, () -> {
            try {
                if (!execution.execute()) {
                    lost.add(id);
                }
            } catch (InterruptedException e) {
                log.warn("run: left to the next start of the agent: run={} host={}", id, ref.host());
            } finally {
                inHand.endExecution(id);
            }
        });
        if (!inHand.started(id, execution, task)) {
            task.interrupt();
        }
    }

    /** A step that ends a run without executing it. */
    @FunctionalInterface
    private interface Closing {
        ChangeOutcome attempt() throws InterruptedException;
    }

    /** Tries once; a pass that still finds the run open tries again. */
    private void close(RunId id, String what, Closing step) {
        if (!inHand.beginClosing(id)) {
            return;
        }
        scheduler.fork(what + " " + id, () -> {
            try {
                ChangeOutcome outcome = step.attempt();
                log.info(
                        "run: {}: run={} outcome={}",
                        what,
                        id,
                        outcome.getClass().getSimpleName());
            } catch (StoreException | RecordContendedException | UnreadableRecordException e) {
                log.warn("run: {} failed, the next pass tries again: run={} cause={}", what, id, e.getMessage());
            } catch (InterruptedException e) {
                log.debug("run: {} interrupted: run={}", what, id);
            } finally {
                inHand.endClosing(id);
            }
        });
    }

    /**
     * Acts on nothing any more, stops what is executing and waits until all of it has ended.
     *
     * @param bound how long to wait; what has not ended by then is given up, for the next start to close out, and has
     *     {@link #GIVE_UP_BOUND} more to kill its command
     * @return whether everything ended in time
     */
    public boolean stop(Duration bound) throws InterruptedException {
        inHand.refuseMore().forEach(execution -> execution.stop(new StopReason.Interrupted(AGENT_STOPPED)));
        if (inHand.awaitNone(bound)) {
            return true;
        }
        log.warn("run: not ended in {}: executing={} closing={}", bound, inHand.executing(), inHand.closing());
        inHand.giveUp().forEach(Task::interrupt);
        // The process ends after this, and a command that was not killed by then would outlive it.
        inHand.awaitNone(GIVE_UP_BOUND);
        return false;
    }
}

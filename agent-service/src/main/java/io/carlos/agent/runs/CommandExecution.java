package io.carlos.agent.runs;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.records.UnreadableRecordException;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.time.Scheduler;
import io.carlos.store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one launch of a run's command, and its life until nothing of it is left: its own end, or a reason to stop it. */
final class CommandExecution {
    private static final Logger log = LoggerFactory.getLogger(CommandExecution.class);
    private static final String STARTED_LATE = "the box was too slow to start it";

    private final RunsContext context;
    private final Scheduler scheduler;
    private final RecordRef ref;
    private final RunId id;
    private final Pick pick;
    private final StopSignal stopSignal;

    CommandExecution(RunsContext context, RecordRef ref, Pick pick, StopSignal stopSignal) {
        this.context = context;
        this.scheduler = context.scheduler();
        this.ref = ref;
        this.id = pick.id();
        this.pick = pick;
        this.stopSignal = stopSignal;
    }

    /**
     * Launches the command and returns when it has ended, its descendants and both streams included.
     *
     * @param deadline when the run should have ended, by its record: the command is stopped by then in any case
     * @return empty when nothing of it was executed, since the box might not act for a moment; it can be tried again once it may
     */
    Optional<Ending> execute(
            RunRequest request, InstanceRecord record, Path directory, Instant deadline, Chunker chunker)
            throws InterruptedException, LeaseLostException {
        RunLauncher launcher = context.launchers().get(record.isolation());
        if (launcher == null) {
            return Optional.of(Ending.interrupted(
                    RunDecision.START_FAILED, "this box has no backend for isolation " + record.isolation()));
        }
        Path data = context.directories().instanceData(ref.host());
        LaunchRequest command = new LaunchRequest(
                id,
                ref,
                request.incarnation(),
                request.argv(),
                record.env(),
                data,
                directory,
                () -> isWanted(deadline));
        LaunchOutcome outcome = launcher.launch(command, chunker);
        if (outcome instanceof LaunchOutcome.Unwanted && isInTime(deadline)) {
            log.info("run: not launched while this box may not act: run={} host={}", id, ref.host());
            return Optional.empty();
        }
        return Optional.of(ending(outcome, launcher, request, deadline, chunker));
    }

    private Ending ending(
            LaunchOutcome outcome, RunLauncher launcher, RunRequest request, Instant deadline, Chunker chunker)
            throws InterruptedException, LeaseLostException {
        return switch (outcome) {
            case LaunchOutcome.Started(LaunchedRun run) ->
                follow(run, request, deadline, chunker).noting(launcher.standingNote());
            case LaunchOutcome.Refused(LaunchOutcome.Reason reason, String detail) ->
                Ending.refused(reason.wireName(), detail);
            case LaunchOutcome.Unwanted() -> Ending.beforeLaunch(stopSignal.reason());
            case LaunchOutcome.Interrupted(String reason) -> Ending.interrupted(reason, "it had not started");
            case LaunchOutcome.Failed(String message, Throwable cause) -> {
                log.error("run: launch failed: run={} host={} cause={}", id, ref.host(), message, cause);
                yield Ending.interrupted(RunDecision.START_FAILED, "the box could not start it");
            }
        };
    }

    /** A backend may take minutes: nobody may have asked for the end meanwhile, nor taken the run or the box for lost. */
    private boolean isWanted(Instant deadline) {
        return isInTime(deadline) && context.fleet().mayWrite();
    }

    private boolean isInTime(Instant deadline) {
        return stopSignal.reason() == null && scheduler.now().isBefore(deadline);
    }

    private Ending follow(LaunchedRun run, RunRequest request, Instant deadline, Chunker chunker)
            throws InterruptedException, LeaseLostException {
        Instant started = scheduler.now();
        StopReason stop;
        CommandEnd end;
        try {
            Limit limit = limit(request.timeout(), Duration.between(started, deadline));
            CommandWatch watch = new CommandWatch(scheduler, id, run, stopSignal);
            try {
                stop = awaitEndOrStop(limit);
            } finally {
                watch.end();
            }
            if (stop instanceof StopReason.LeaseLost) {
                chunker.abandon(); // what the command prints while it is stopped is nobody's
            }
            end = stopCommand(run);
        } catch (InterruptedException | RuntimeException | Error e) {
            chunker.abandon(); // else a command that waits for the store to take its output would never end
            kill(run, e);
            throw e;
        }
        if (stop instanceof StopReason.LeaseLost) {
            throw new LeaseLostException("the command of run " + id + " was stopped: " + end);
        }
        return Ending.ran(started, end, stop);
    }

    /**
     * When a command is stopped at the latest, and why then.
     *
     * @param at by the scheduler's nano time
     */
    private record Limit(long at, StopReason reason) {}

    private Limit limit(Duration timeout, Duration untilDeadline) {
        long now = scheduler.nanoTime();
        return timeout.compareTo(untilDeadline) <= 0
                ? new Limit(now + timeout.toNanos(), new StopReason.TimedOut())
                : new Limit(now + untilDeadline.toNanos(), new StopReason.Interrupted(STARTED_LATE));
    }

    /** @return why the command must be stopped; null when it ended by itself */
    private @Nullable StopReason awaitEndOrStop(Limit limit) throws InterruptedException {
        long look = context.settings().recordLook().toNanos();
        long nextLook = scheduler.nanoTime() + look;
        while (true) {
            StopSignal.Seen seen = stopSignal.await(Math.min(limit.at(), nextLook));
            if (seen.commandEnded()) {
                // Its own end comes before any reason to stop it, but not before the loss of the run.
                return seen.reason() instanceof StopReason.LeaseLost lost ? lost : null;
            }
            if (seen.reason() != null) {
                return seen.reason();
            }
            long now = scheduler.nanoTime();
            if (now - limit.at() >= 0) {
                return limit.reason();
            }
            if (now - nextLook >= 0) {
                lookAtRecord();
                nextLook = scheduler.nanoTime() + look;
            }
        }
    }

    /** A backstop: the pass forwards cancels, and one may have gone unnoticed. */
    private void lookAtRecord() {
        try {
            ActiveRun run = context.records()
                    .read(ref)
                    .map(StoredRecord::record)
                    .flatMap(InstanceRecord::run)
                    .orElse(null);
            if (run == null || !pick.holds(run)) {
                stopSignal.raise(new StopReason.LeaseLost());
            } else if (run.state() == ActiveRun.State.CANCEL) {
                stopSignal.raise(new StopReason.Cancelled());
            }
        } catch (StoreException | UnreadableRecordException e) {
            log.warn("run: record not read: run={} cause={}", id, e.getMessage());
        }
    }

    /** Repeats until nothing of the command runs: neither lease nor store is asked, since leaving it running helps nobody. */
    private CommandEnd stopCommand(LaunchedRun run) throws InterruptedException {
        Backoff backoff = new Backoff();
        while (true) {
            try {
                return run.stop(context.settings().stopGrace());
            } catch (RuntimeException e) {
                log.error("run: stop failed, trying again: run={} host={}", id, ref.host(), e);
            }
            scheduler.sleep(backoff.next());
        }
    }

    /** The agent gives up on the run; a command that nobody follows must not go on. */
    private void kill(LaunchedRun run, Throwable cause) {
        try {
            run.stop(Duration.ZERO);
        } catch (InterruptedException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }
}

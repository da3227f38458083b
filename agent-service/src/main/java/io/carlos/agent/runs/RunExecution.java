package io.carlos.agent.runs;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Seed;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.records.Tokens;
import io.carlos.model.records.UnreadableRecordException;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.time.Scheduler;
import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.StoreException;
import io.carlos.store.StoredObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run's life on this box, read from top to bottom: pick, check, stage, launch, follow, and the end in the one order
 * that keeps the promises: the command has stopped and both streams have ended, every chunk is durable, the result is
 * durable, the record says done. Each step is repeated until it holds, so a store that is away only delays the end.
 */
final class RunExecution {
    private static final Logger log = LoggerFactory.getLogger(RunExecution.class);

    private final RunsContext context;
    private final Scheduler scheduler;
    private final RecordRef ref;
    private final RunId id;
    private final RunKeys keys;
    private final String attempt;
    private final StopSignal stopSignal;

    RunExecution(RunsContext context, RecordRef ref, RunId id) {
        this.context = context;
        this.scheduler = context.scheduler();
        this.ref = ref;
        this.id = id;
        this.keys = new RunKeys(ref.account(), ref.app(), id);
        this.attempt = Tokens.next(context.random());
        this.stopSignal = new StopSignal(scheduler);
    }

    /** Asks the execution to end its command; the first reason stands. */
    void stop(StopReason reason) {
        stopSignal.raise(reason);
    }

    /**
     * Does all of it. Returns early only when the run is not this box's, or no longer.
     *
     * @throws InterruptedException the agent gives up on it; its next start closes the run out
     */
    void execute() throws InterruptedException {
        Optional<RunRequest> request = readRequest();
        Instant deadline = scheduler
                .now()
                .plus(request.map(RunRequest::timeout).orElse(RunRequest.DEFAULT_TIMEOUT))
                .plus(context.settings().endAllowance());
        if (!pick(deadline)) {
            return;
        }
        Lease lease = new Lease(id, deadline, scheduler);
        Persistence persistence = new Persistence(id, scheduler, lease);
        Chunker chunker = new Chunker(
                "chunks " + id,
                scheduler,
                new ChunkStore(context.store(), scheduler, keys, lease),
                () -> stop(new StopReason.LeaseLost()));
        try {
            Ending ending = request.isPresent()
                    ? perform(request.get(), persistence, chunker)
                    : Ending.refused("request", "its request is not stored");
            finish(ending, persistence, chunker);
        } catch (LeaseLostException e) {
            log.error("run: given up: run={} host={} cause={}", id, ref.host(), e.getMessage());
        } finally {
            chunker.abandon();
            removeDirectory();
        }
    }

    /** The request was stored before the record named the run; it is read first because its timeout is part of the pick. */
    private Optional<RunRequest> readRequest() throws InterruptedException {
        Backoff backoff = new Backoff();
        while (true) {
            try {
                return context.store()
                        .get(keys.request())
                        .map(object ->
                                CarlosJson.read("run request", object.value(), RunRequest.class, RunRequest.SCHEMA));
            } catch (StoreException e) {
                log.warn("run: request not read, trying again: run={} cause={}", id, e.getMessage());
            }
            scheduler.sleep(backoff.next());
        }
    }

    /** @return whether the run is this execution's, and nobody else's */
    private boolean pick(Instant deadline) throws InterruptedException {
        String box = context.box().name();
        String boot = context.box().bootId();
        Backoff backoff = new Backoff();
        while (true) {
            try {
                ChangeOutcome outcome = context.records()
                        .change(ref, r -> RunTransitions.pick(r, id, box, boot, attempt, scheduler.now(), deadline));
                if (outcome instanceof ChangeOutcome.Applied) {
                    log.info("run: picked: run={} host={} attempt={}", id, ref.host(), attempt);
                    return true;
                }
                log.info("run: not picked: run={} host={} outcome={}", id, ref.host(), outcome);
                return false;
            } catch (StoreException | RecordContendedException e) {
                // The answer may be lost and the pick have held: asking again with the same attempt tells.
                log.warn("run: pick failed, trying again: run={} cause={}", id, e.getMessage());
            }
            scheduler.sleep(backoff.next());
        }
    }

    private Ending perform(RunRequest request, Persistence persistence, Chunker chunker)
            throws InterruptedException, LeaseLostException {
        Optional<StoredRecord> read =
                persistence.until("prepare", () -> context.records().read(ref));
        Optional<Ending> forbidden = prepare(request, read);
        if (forbidden.isPresent()) {
            return forbidden.get();
        }
        InstanceRecord record = read.orElseThrow().record();
        Path directory;
        try {
            directory = persistence.until("stage", () -> context.directories().stage(request));
        } catch (StagingRefusedException e) {
            return Ending.refused("files", String.valueOf(e.getMessage()));
        }
        StopReason early = stopSignal.reason();
        if (early != null) {
            return endedBeforeLaunch(early);
        }
        return launch(request, record, directory, chunker);
    }

    /** What keeps the run from being launched, by the newest record. */
    private Optional<Ending> prepare(RunRequest request, Optional<StoredRecord> read) {
        InstanceRecord record = read.map(StoredRecord::record).orElse(null);
        ActiveRun run = record == null ? null : record.activeRun();
        if (record == null || run == null || !run.id().equals(id) || !isOurs(run)) {
            return Optional.of(Ending.interrupted("the run was taken away", "its record names another owner"));
        }
        if (run.state() == ActiveRun.State.CANCEL) {
            return Optional.of(Ending.cancelledBeforeLaunch());
        }
        if (!record.incarnation().equals(request.incarnation())) {
            return Optional.of(Ending.refused("incarnation", record.host() + " was deleted and made again"));
        }
        Seed seed = record.seed();
        if (seed != null && seed.isUncommittedImport()) {
            return Optional.of(Ending.refused("import", "the import of " + record.host() + " is not committed yet"));
        }
        return Optional.empty();
    }

    private boolean isOurs(ActiveRun run) {
        return run.isHeld()
                && run.isPickedBy(context.box().name(), context.box().bootId(), attempt);
    }

    private static Ending endedBeforeLaunch(StopReason reason) throws LeaseLostException {
        return switch (reason) {
            case StopReason.Cancelled() -> Ending.cancelledBeforeLaunch();
            case StopReason.Interrupted(String why) -> Ending.interrupted(why, "it had not started");
            case StopReason.TimedOut() -> Ending.interrupted(RunDecision.START_FAILED, "it had not started in time");
            case StopReason.LeaseLost() -> throw new LeaseLostException("the lease ended before the launch");
        };
    }

    private Ending launch(RunRequest request, InstanceRecord record, Path directory, Chunker chunker)
            throws InterruptedException, LeaseLostException {
        RunLauncher launcher = context.launchers().get(record.isolation());
        if (launcher == null) {
            return Ending.interrupted(
                    RunDecision.START_FAILED, "this box has no backend for isolation " + record.isolation());
        }
        Path data = context.directories().instanceData(ref.host());
        LaunchRequest command = new LaunchRequest(id, ref.host(), request.argv(), record.env(), data, directory);
        return switch (launcher.launch(command, chunker)) {
            case LaunchOutcome.Started(LaunchedRun run) -> follow(run, request, chunker);
            case LaunchOutcome.Refused(LaunchOutcome.Reason reason, String detail) ->
                Ending.refused(reason.wireName(), detail);
            case LaunchOutcome.Interrupted(String reason) -> Ending.interrupted(reason, "it had not started");
            case LaunchOutcome.Failed(String message, Throwable cause) -> {
                log.error("run: launch failed: run={} host={} cause={}", id, ref.host(), message, cause);
                yield Ending.interrupted(RunDecision.START_FAILED, "the box could not start it");
            }
        };
    }

    private Ending follow(LaunchedRun run, RunRequest request, Chunker chunker)
            throws InterruptedException, LeaseLostException {
        Instant started = scheduler.now();
        long timeoutAt = scheduler.nanoTime() + request.timeout().toNanos();
        CommandWatch watch = new CommandWatch(scheduler, id, run, stopSignal);
        StopReason stop;
        CommandEnd end;
        try {
            stop = awaitEndOrStop(timeoutAt);
            end = stopCommand(run);
        } catch (InterruptedException | RuntimeException e) {
            chunker.abandon(); // else a command that waits for the store to take its output would never end
            kill(run, e);
            throw e;
        } finally {
            watch.end();
        }
        if (stop instanceof StopReason.LeaseLost) {
            throw new LeaseLostException("the command of run " + id + " was stopped: " + end);
        }
        return Ending.ran(started, end, stop);
    }

    /** @return why the command must be stopped; null when it ended by itself */
    private @Nullable StopReason awaitEndOrStop(long timeoutAt) throws InterruptedException {
        long look = context.settings().recordLook().toNanos();
        long nextLook = scheduler.nanoTime() + look;
        while (true) {
            StopSignal.Seen seen = stopSignal.await(Math.min(timeoutAt, nextLook));
            if (seen.commandEnded()) {
                // Its own end comes before any reason to stop it, but not before the loss of the run.
                return seen.reason() instanceof StopReason.LeaseLost lost ? lost : null;
            }
            if (seen.reason() != null) {
                return seen.reason();
            }
            long now = scheduler.nanoTime();
            if (now - timeoutAt >= 0) {
                return new StopReason.TimedOut();
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
            Optional<ActiveRun> run =
                    context.records().read(ref).map(StoredRecord::record).flatMap(InstanceRecord::run);
            if (run.isEmpty() || !run.get().id().equals(id) || !isOurs(run.get())) {
                stop(new StopReason.LeaseLost());
            } else if (run.get().state() == ActiveRun.State.CANCEL) {
                stop(new StopReason.Cancelled());
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
    private void kill(LaunchedRun run, Exception cause) {
        try {
            run.stop(Duration.ZERO);
        } catch (InterruptedException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private void finish(Ending ending, Persistence persistence, Chunker chunker)
            throws InterruptedException, LeaseLostException {
        Chunker.Stored stored = chunker.close();
        RunResult result = ending.result(stored, context.box().name(), scheduler.now());
        byte[] value = CarlosJson.write(result);
        persistence.until("result", () -> putResult(keys.result(), value));
        persistence.until("done", () -> context.records().change(ref, r -> RunTransitions.finish(r, id)));
        log.info(
                "run: finished: run={} host={} exit={} signal={} last_seq={} interrupted={} refused={}",
                id,
                ref.host(),
                result.exit(),
                result.signal(),
                result.lastSeq(),
                result.interrupted(),
                result.refused());
    }

    /** Stores the result unless there is one; after a lost answer the one that is there is our own. */
    private boolean putResult(ObjectKey key, byte[] value) {
        try {
            context.store().put(key, value, Precondition.CREATE_ONLY);
        } catch (CasConflictException e) {
            Optional<StoredObject> found = context.store().get(key);
            if (found.isEmpty()) {
                throw e; // nothing is durable yet, whatever the conflict was
            }
            if (!Arrays.equals(found.get().value(), value)) {
                log.error("run: another result is stored and stands: run={} host={}", id, ref.host());
            }
        }
        return true;
    }

    private void removeDirectory() {
        try {
            context.directories().remove(ref.host(), id);
        } catch (IOException e) {
            // The next start of the agent sweeps what is left.
            log.warn("run: directory not removed: run={} host={} cause={}", id, ref.host(), e.getMessage());
        }
    }
}

package io.carlos.agent.runs;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.records.Tokens;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.time.Scheduler;
import io.carlos.store.AmbiguousWriteException;
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
    private final Turns stagings;
    private final Scheduler scheduler;
    private final RecordRef ref;
    private final RunId id;
    private final RunKeys keys;
    private final Pick pick;
    private final StopSignal stopSignal;
    private final CommandExecution command;

    /** @param stagings shared by all executions of the box */
    RunExecution(RunsContext context, Turns stagings, RecordRef ref, RunId id) {
        this.context = context;
        this.stagings = stagings;
        this.scheduler = context.scheduler();
        this.ref = ref;
        this.id = id;
        this.keys = new RunKeys(ref.account(), ref.app(), id);
        this.pick = new Pick(id, context.box().name(), context.box().bootId(), Tokens.next(context.random()));
        this.stopSignal = new StopSignal(scheduler);
        this.command = new CommandExecution(context, ref, pick, stopSignal);
    }

    /** Asks the execution to end its command; the first reason stands. */
    void stop(StopReason reason) {
        stopSignal.raise(reason);
    }

    /**
     * Does all of it.
     *
     * @return whether it is over for this box: it ended, or was never this box's; false when it was given up
     * @throws InterruptedException the agent gives up on it; its next start closes the run out
     */
    boolean execute() throws InterruptedException {
        Optional<StoredRequest> read = readRequest();
        if (read.isEmpty()) {
            return true;
        }
        StoredRequest stored = read.get();
        Instant deadline =
                scheduler.now().plus(stored.timeout()).plus(context.settings().endAllowance());
        // Nothing is this box's before the pick: an agent that stops leaves the queued run to others.
        if (stopSignal.reason() != null || !context.fleet().mayWrite() || !pick(deadline)) {
            return true;
        }
        context.listener().picked(stored.waited(scheduler.now()));
        Lease lease = new Lease(id, deadline, scheduler, context.fleet(), () -> renew(deadline));
        Persistence persistence = new Persistence(id, scheduler, lease);
        Chunker chunker = new Chunker(
                "chunks " + id,
                scheduler,
                new ChunkStore(context.store(), scheduler, keys, lease),
                () -> stop(new StopReason.LeaseLost()));
        try {
            Ending ending = switch (stored) {
                case StoredRequest.Readable(RunRequest request) -> perform(request, deadline, persistence, chunker);
                case StoredRequest.Unusable(String why) -> Ending.refused("request", why);
            };
            finish(ending, persistence, chunker);
            return true;
        } catch (LeaseLostException e) {
            log.error("run: given up: run={} host={} cause={}", id, ref.host(), e.getMessage());
            return false;
        } finally {
            chunker.abandon();
            removeDirectory();
        }
    }

    /** The request was stored before the record named the run; it is read first because its timeout is part of the pick. */
    private Optional<StoredRequest> readRequest() throws InterruptedException {
        Backoff backoff = new Backoff();
        while (true) {
            try {
                return Optional.of(StoredRequest.of(context.store().get(keys.request())));
            } catch (StoreException e) {
                log.warn("run: request not read, trying again: run={} cause={}", id, e.getMessage());
            }
            if (isStoppedWithin(backoff.next())) {
                return Optional.empty();
            }
        }
    }

    /**
     * Asks until it is known, once an answer was lost: the run may be this execution's to end. Before that a stop ends it.
     *
     * @return whether the run is this execution's, and nobody else's
     */
    private boolean pick(Instant deadline) throws InterruptedException {
        Backoff backoff = new Backoff();
        boolean answerLost = false;
        while (true) {
            try {
                ChangeOutcome outcome =
                        context.records().change(ref, record -> pick.apply(record, scheduler.now(), deadline));
                if (outcome instanceof ChangeOutcome.Applied) {
                    log.info("run: picked: run={} host={} attempt={}", id, ref.host(), pick.attempt());
                    return true;
                }
                log.info("run: not picked: run={} host={} outcome={}", id, ref.host(), outcome);
                context.listener().notPicked();
                return false;
            } catch (StoreException | RecordContendedException e) {
                answerLost |= e instanceof AmbiguousWriteException;
                log.warn("run: pick failed, trying again: run={} cause={}", id, e.getMessage());
            }
            if (answerLost) {
                scheduler.sleep(backoff.next());
            } else if (isStoppedWithin(backoff.next())) {
                return false; // still queued, for others
            }
        }
    }

    /** Gives the run as much time to end as a pick would, and never less than it had. */
    private Optional<Instant> renew(Instant first) throws InterruptedException {
        ChangeOutcome outcome = context.records().change(ref, record -> {
            Instant extended = scheduler.now().plus(context.settings().endAllowance());
            return pick.renew(record, extended.isAfter(first) ? extended : first);
        });
        return outcome instanceof ChangeOutcome.Applied(var stored)
                ? stored.record().run().map(ActiveRun::deadline)
                : Optional.empty();
    }

    private Ending perform(RunRequest request, Instant deadline, Persistence persistence, Chunker chunker)
            throws InterruptedException, LeaseLostException {
        Persistence.Patience patience =
                untilStoppedOr(deadline.minus(context.settings().endAllowance()));
        Optional<Reading> before = persistence.until("prepare", patience, this::read);
        if (before.isEmpty()) {
            return endedBeforeLaunch();
        }
        Optional<Ending> forbidden = Preparation.check(request, before.get().record(), pick);
        if (forbidden.isPresent()) {
            return forbidden.get();
        }
        Optional<Path> directory;
        try {
            directory = persistence.until("stage", patience, () -> stage(request));
        } catch (StagingRefusedException e) {
            return Ending.refused(e.rule(), String.valueOf(e.getMessage()));
        }
        if (directory.isEmpty()) {
            return endedBeforeLaunch();
        }
        return launch(request, directory.get(), deadline, persistence, patience, chunker);
    }

    /** Launches when a last look allows it: staging took as long as disk and store do, and a cancel or a close-out may have come. */
    private Ending launch(
            RunRequest request,
            Path directory,
            Instant deadline,
            Persistence persistence,
            Persistence.Patience patience,
            Chunker chunker)
            throws InterruptedException, LeaseLostException {
        while (true) {
            Optional<Reading> staged = persistence.until("look again", patience, this::read);
            if (staged.isEmpty()) {
                return endedBeforeLaunch();
            }
            InstanceRecord record = staged.get().record();
            Optional<Ending> forbidden = Preparation.check(request, record, pick);
            if (record == null || forbidden.isPresent()) {
                return forbidden.orElseThrow();
            }
            // The deadline is well within the lease, so nobody has taken the run for abandoned since the look.
            if (stopSignal.reason() != null || !scheduler.now().isBefore(deadline)) {
                return endedBeforeLaunch();
            }
            // Nor has anybody taken the box for lost who has closed its run out. But a process that was frozen since
            // that look, or whose backend took its time, may not be fresh any more; the next look waits until it is,
            // or ends the execution.
            Optional<Ending> ending = context.fleet().mayWrite()
                    ? command.execute(request, record, directory, deadline, chunker)
                    : Optional.empty();
            if (ending.isPresent()) {
                return ending.get();
            }
        }
    }

    private Path stage(RunRequest request) throws StagingRefusedException, IOException, InterruptedException {
        context.directories().makePlace(request); // before the turn, since it may take longer than a staging does
        stagings.begin();
        try {
            return context.directories().stage(request);
        } finally {
            stagings.end();
        }
    }

    /** Before the launch nothing is worth a try after somebody's stop, or when the command would have had its time. */
    private Persistence.Patience untilStoppedOr(Instant end) {
        return wait -> !isStoppedWithin(wait) && scheduler.now().isBefore(end);
    }

    private boolean isStoppedWithin(Duration wait) throws InterruptedException {
        return stopSignal.await(scheduler.nanoTime() + wait.toNanos()).reason() != null;
    }

    /** @param record null when there is none */
    private record Reading(@Nullable InstanceRecord record) {}

    private Reading read() {
        return new Reading(context.records().read(ref).map(StoredRecord::record).orElse(null));
    }

    private Ending endedBeforeLaunch() throws LeaseLostException {
        return Ending.beforeLaunch(stopSignal.reason());
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
        context.listener().finished(result);
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

package io.carlos.model.runs;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ActiveRun.Outcome;
import io.carlos.model.runs.RunKeys.ChunkName;
import io.carlos.model.runs.Transition.Refusal;
import io.carlos.model.time.Scheduler;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreClock;
import io.carlos.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Ends runs that no execution ends: cancelled or expired while queued, or left behind by their box. Never starts
 * anything. Each method may be called by several processes at once and again after any failure; the first result stands.
 */
public final class RunCloser {
    /** How long after its deadline a picked run is taken for abandoned by anybody but its own box. */
    public static final Duration ABANDONED_AFTER = Duration.ofMinutes(5);

    /** The {@code interrupted} of a run whose box was not heard of for so long. */
    public static final String BOX_WENT_AWAY = "the box went away";

    /** Longer than an execution waits between two attempts to renew its hold: after an outage it comes first. */
    static final Duration RENEWAL_TIME = Duration.ofSeconds(15);

    private final ObjectStore store;
    private final RecordStore records;
    private final Scheduler scheduler;
    private final StoreClock clock;

    public RunCloser(ObjectStore store, RecordStore records, Scheduler scheduler) {
        this.store = store;
        this.records = records;
        this.scheduler = scheduler;
        this.clock = new StoreClock(store, records::newToken);
    }

    /**
     * Cancels a run: a queued one is over at once, a picked one when its box has stopped it.
     *
     * @return what the record's swap came to
     * @throws StoreException the store failed; calling again is safe
     */
    public ChangeOutcome cancel(RecordRef ref, RunId id) throws InterruptedException {
        ChangeOutcome outcome = records.change(ref, record -> RunTransitions.cancel(record, id));
        if (outcome instanceof ChangeOutcome.Applied(var stored)) {
            writeQueuedEnd(stored.record());
        }
        return outcome;
    }

    /** Ends a queued run that is past its pickup deadline by the store's clock, whatever the one here says. */
    public ChangeOutcome expire(RecordRef ref, RunId id) throws InterruptedException {
        Instant now = clock.read();
        ChangeOutcome outcome = records.change(ref, record -> RunTransitions.expire(record, id, now));
        if (outcome instanceof ChangeOutcome.Applied(var stored)) {
            writeQueuedEnd(stored.record());
        }
        return outcome;
    }

    /** Stores the result of a run that ended while it was queued; does nothing for any other. */
    public void writeQueuedEnd(InstanceRecord record) {
        ActiveRun run = record.activeRun();
        if (run == null || run.box() != null || run.outcome() == null) {
            return;
        }
        RunKeys keys = new RunKeys(record.account(), record.app(), run.id());
        if (run.outcome() == Outcome.CANCELLED) {
            putFirst(keys.result(), RunResult.cancelledWhileQueued(scheduler.now()));
        } else if (run.outcome() == Outcome.EXPIRED) {
            putFirst(keys.result(), RunResult.expired(scheduler.now()));
        }
    }

    /**
     * Closes out a held run that will never be executed any further: takes it from its attempt, stores a result that names
     * the last chunk there is, then changes the record. A closer that dies in between is followed by any other.
     *
     * @param seen the run as it was when that was decided; renewed or taken by another since then, it is left alone
     * @param why the result's {@code interrupted}
     */
    public ChangeOutcome closeOut(RecordRef ref, ActiveRun seen, String why) throws InterruptedException {
        String token = records.newToken();
        ChangeOutcome outcome = records.change(ref, newest -> RunTransitions.takeForClosing(newest, seen, token));
        if (!(outcome instanceof ChangeOutcome.Applied(var taken))) {
            return outcome;
        }
        ActiveRun run = taken.record().run().orElseThrow();
        RunKeys keys = new RunKeys(ref.account(), ref.app(), run.id());
        // Only now: the attempt may have stored chunks up to the swap, and stores none after it.
        long lastSeq = lastSeq(keys);
        String detail = lastSeq == 0 ? "no output is stored" : "the output ends with chunk " + lastSeq;
        String box = run.box() == null ? "" : run.box();
        boolean cancelled = run.state() == ActiveRun.State.CANCEL;
        putFirst(keys.result(), RunResult.interrupted(why, detail, lastSeq, cancelled, box, scheduler.now()));
        return records.change(ref, newest -> RunTransitions.finish(newest, run.id()));
    }

    /**
     * Closes out a run whose box must be taken for gone by the store's clock, whatever the one here says. Takes a while,
     * in which a box that is back may renew its hold.
     *
     * @param seen the run as it was when it looked abandoned
     */
    public ChangeOutcome closeOutAbandoned(RecordRef ref, ActiveRun seen) throws InterruptedException {
        if (!isAbandoned(seen, clock.read())) {
            return new ChangeOutcome.Refused(
                    Refusal.IN_TIME, "run " + seen.id() + " may still be its box's, by the store's clock");
        }
        scheduler.sleep(RENEWAL_TIME);
        return closeOut(ref, seen, BOX_WENT_AWAY);
    }

    /** Whether a run's box must be taken for gone. */
    public static boolean isAbandoned(ActiveRun run, Instant now) {
        return run.isHeld() && now.isAfter(run.deadline().plus(ABANDONED_AFTER));
    }

    /** The result, once there is one. */
    public Optional<RunResult> result(RunKeys keys) {
        return store.get(keys.result())
                .map(object -> CarlosJson.read("run result", object.value(), RunResult.class, RunResult.SCHEMA));
    }

    /** The seq of the last stored chunk; 0 when there is none. */
    public long lastSeq(RunKeys keys) {
        long last = 0;
        String after = "";
        List<ListedObject> page;
        do {
            page = store.list(keys.chunkPrefix(), after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject object : page) {
                last = Math.max(
                        last, keys.parseChunk(object.key()).map(ChunkName::seq).orElse(0L));
                after = object.key().value();
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
        return last;
    }

    /** Stores a result unless there is one: the first stands, whoever wrote it. */
    private void putFirst(ObjectKey key, RunResult result) {
        try {
            store.put(key, CarlosJson.write(result), Precondition.CREATE_ONLY);
        } catch (CasConflictException | AmbiguousWriteException e) {
            // Also a conflict is believed only when there is a result: without one the record must not say done.
            if (store.get(key).isEmpty()) {
                throw e;
            }
        }
    }
}

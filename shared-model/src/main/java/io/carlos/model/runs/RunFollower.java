package io.carlos.model.runs;

import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.time.Scheduler;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoreException;
import io.carlos.store.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a run's output as it grows and ends by itself after the result. Any number of followers may read one run, from
 * any seq, during the run or long after it; a follower keeps nothing that another process could not take up again.
 *
 * <p>A follower also ends what nobody else may be there to end: it expires a queued run past its deadline and closes out
 * one whose box is gone. A store that is away only delays it.
 */
public final class RunFollower {
    private static final Logger log = LoggerFactory.getLogger(RunFollower.class);
    private static final Duration RECORD_LOOK = Duration.ofSeconds(2);
    private static final Duration MIN_POLL = Duration.ofMillis(20);
    private static final int PAGE = 100;

    /** How long a chunk that the result names may be missing: a store shows what was stored, so it will not come. */
    private static final Duration MISSING_PATIENCE = Duration.ofSeconds(10);

    private final ObjectStore store;
    private final RecordStore records;
    private final RunCloser closer;
    private final Scheduler scheduler;
    private final Duration maxPoll;

    /** @param maxPoll how long to wait between two looks when nothing comes; shorter waits follow each new chunk */
    public RunFollower(ObjectStore store, RecordStore records, Scheduler scheduler, Duration maxPoll) {
        this.store = store;
        this.records = records;
        this.closer = new RunCloser(store, records, scheduler);
        this.scheduler = scheduler;
        this.maxPoll = maxPoll;
    }

    /**
     * Hands on every chunk from {@code fromSeq} until the run is over.
     *
     * @param fromSeq the first seq to hand on, from 1
     * @throws IOException the listener threw it
     */
    public FollowEnd follow(RecordRef ref, RunId id, long fromSeq, FollowListener listener)
            throws IOException, InterruptedException {
        if (fromSeq < 1) {
            throw new IllegalArgumentException("a run's output is followed from seq 1 or later, not " + fromSeq);
        }
        Following following = new Following(ref, new RunKeys(ref.account(), ref.app(), id), fromSeq, listener);
        Duration poll = MIN_POLL;
        while (true) {
            long before = following.nextSeq;
            try {
                Optional<FollowEnd> end = following.look();
                if (end.isPresent()) {
                    return end.get();
                }
            } catch (StoreException | RecordContendedException e) {
                log.warn("follow: store failed, trying again: run={} cause={}", id, e.getMessage());
            }
            poll = following.nextSeq > before ? MIN_POLL : min(poll.multipliedBy(2), maxPoll);
            scheduler.sleep(poll);
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private final class Following {
        private final RecordRef ref;
        private final RunKeys keys;
        private final FollowListener listener;
        private long nextSeq;
        private long nextRecordLook;
        private @Nullable ActiveRun lastState;
        private OptionalLong missingSince = OptionalLong.empty();

        Following(RecordRef ref, RunKeys keys, long fromSeq, FollowListener listener) {
            this.ref = ref;
            this.keys = keys;
            this.listener = listener;
            this.nextSeq = fromSeq;
            this.nextRecordLook = scheduler.nanoTime();
        }

        Optional<FollowEnd> look() throws IOException, InterruptedException {
            // The result before the chunks: once it is there, so is every chunk up to its last seq.
            Optional<RunResult> result = closer.result(keys);
            long before = nextSeq;
            takeChunks(result.map(RunResult::lastSeq).orElse(Long.MAX_VALUE));
            if (result.isPresent()) {
                return endWith(result.get(), nextSeq > before);
            }
            if (scheduler.nanoTime() - nextRecordLook >= 0) {
                nextRecordLook = scheduler.nanoTime() + RECORD_LOOK.toNanos();
                return lookAtRecord();
            }
            return Optional.empty();
        }

        /** All that is left to wait for are chunks that are known to be stored. */
        private Optional<FollowEnd> endWith(RunResult result, boolean progress) {
            if (nextSeq > result.lastSeq()) {
                return Optional.of(new FollowEnd.Ended(result));
            }
            if (progress || missingSince.isEmpty()) {
                missingSince = OptionalLong.of(scheduler.nanoTime());
            }
            boolean patient = scheduler.nanoTime() - missingSince.getAsLong() < MISSING_PATIENCE.toNanos();
            return patient ? Optional.empty() : Optional.of(new FollowEnd.Incomplete(result, nextSeq));
        }

        /** Chunks that a crashed box left after those its result names are not the run's output. */
        private void takeChunks(long lastSeq) throws IOException {
            String after = keys.afterChunk(nextSeq - 1);
            List<ListedObject> page;
            do {
                page = store.list(keys.chunkPrefix(), after, PAGE);
                for (ListedObject listed : page) {
                    after = listed.key().value();
                    Optional<RunKeys.ChunkName> chunk = keys.parseChunk(listed.key());
                    if (chunk.isEmpty() || chunk.get().seq() < nextSeq) {
                        continue; // whatever else lies there is no output
                    }
                    Optional<StoredObject> object = chunk.get().seq() == nextSeq && nextSeq <= lastSeq
                            ? store.get(listed.key())
                            : Optional.empty();
                    if (object.isEmpty()) {
                        return; // the next one is not there yet
                    }
                    listener.chunk(nextSeq, chunk.get().channel(), object.get().value());
                    nextSeq++;
                }
            } while (page.size() == PAGE);
        }

        private Optional<FollowEnd> lookAtRecord() throws InterruptedException {
            Optional<InstanceRecord> record = records.read(ref).map(StoredRecord::record);
            ActiveRun run = record.map(InstanceRecord::activeRun).orElse(null);
            if (record.isEmpty() || run == null || !run.id().equals(keys.id())) {
                // Another run can only be named when this one was done, and so had its result before our look.
                if (closer.result(keys).isPresent()) {
                    return Optional.empty();
                }
                String why = record.isEmpty() ? "its record is gone" : "its record names another run";
                return Optional.of(new FollowEnd.Unknown(why + ", and there is no result"));
            }
            if (!run.equals(lastState)) {
                lastState = run;
                listener.state(run);
            }
            return endOf(record.get(), run);
        }

        private Optional<FollowEnd> endOf(InstanceRecord record, ActiveRun run) throws InterruptedException {
            ActiveRun.Outcome outcome = run.outcome();
            if (outcome == ActiveRun.Outcome.FINISHED) {
                // Its result was stored before that, and so before this look.
                return closer.result(keys).isPresent()
                        ? Optional.empty()
                        : Optional.of(new FollowEnd.Unknown("its record says finished, and there is no result"));
            }
            if (outcome == ActiveRun.Outcome.CANCELLED || outcome == ActiveRun.Outcome.EXPIRED) {
                return Optional.of(new FollowEnd.OverWhileQueued(outcome));
            }
            if (run.state() == ActiveRun.State.QUEUED && scheduler.now().isAfter(run.deadline())) {
                ChangeOutcome expired = closer.expire(ref, run.id());
                log.debug("follow: expire: run={} outcome={}", run.id(), expired);
                nextRecordLook = scheduler.nanoTime();
            } else if (RunCloser.isAbandoned(run, scheduler.now())) {
                closer.closeOutAbandoned(ref, run);
            }
            return Optional.empty();
        }
    }
}

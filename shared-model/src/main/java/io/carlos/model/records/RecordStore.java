package io.carlos.model.records;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.ChangeOutcome.Applied;
import io.carlos.model.records.ChangeOutcome.NoRecord;
import io.carlos.model.runs.Transition;
import io.carlos.model.time.Scheduler;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import io.carlos.store.StoredObject;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Records in an object store. Every write is one compare-and-swap and carries a token of its own, so that a writer whose
 * answer was lost recognises what it wrote.
 *
 * <p>Store failures pass through: {@link StoreUnavailableException} when nothing was written, and {@link
 * AmbiguousWriteException} when a write's answer was lost and the record could not be read again. Change functions
 * recognise their own effect, so calling again after either is safe.
 */
public final class RecordStore {
    private static final int ATTEMPTS = 20;
    private static final Duration MAX_BACKOFF = Duration.ofMillis(500);

    private final ObjectStore store;
    private final Scheduler scheduler;
    private final RandomGenerator random;

    /** @param random for tokens and jitter; cryptographic wherever several processes write */
    public RecordStore(ObjectStore store, Scheduler scheduler, RandomGenerator random) {
        this.store = store;
        this.scheduler = scheduler;
        this.random = random;
    }

    /**
     * The newest record, or empty when there is none.
     *
     * @throws UnreadableRecordException what is stored is no record of this version of Carlos
     */
    public Optional<StoredRecord> read(RecordRef ref) {
        return store.get(ref.key()).map(object -> decode(ref, object));
    }

    /** The record in an object that was read from {@code ref.key()}. */
    public StoredRecord decode(RecordRef ref, StoredObject object) {
        InstanceRecord record = RecordCodec.decode(ref, object.value());
        return new StoredRecord(record, object.etag());
    }

    /**
     * Stores a new record as its version 1.
     *
     * @return the stored record, or empty when there is one under that name already
     */
    public Optional<StoredRecord> create(InstanceRecord record) {
        InstanceRecord first = record.writtenAs(1, newToken());
        try {
            String etag = store.put(first.ref().key(), CarlosJson.write(first), Precondition.CREATE_ONLY);
            return Optional.of(new StoredRecord(first, etag));
        } catch (CasConflictException e) {
            return Optional.empty();
        } catch (AmbiguousWriteException e) {
            return lookUp(first, e);
        }
    }

    /** After a lost answer: whether the record is there, and ours. */
    private Optional<StoredRecord> lookUp(InstanceRecord created, AmbiguousWriteException lostAnswer) {
        try {
            // Still absent, it may yet land: the caller must not take it for somebody else's.
            StoredRecord found = read(created.ref()).orElseThrow(() -> lostAnswer);
            return found.record().writer().equals(created.writer()) ? Optional.of(found) : Optional.empty();
        } catch (StoreUnavailableException e) {
            lostAnswer.addSuppressed(e);
            throw lostAnswer;
        }
    }

    /**
     * Applies a change to the newest record until a swap holds.
     *
     * @throws RecordContendedException other writers were first every time
     * @throws UnreadableRecordException what is stored is no record of this version of Carlos
     */
    public ChangeOutcome change(RecordRef ref, RecordChange change) throws InterruptedException {
        AmbiguousWriteException lostAnswer = null;
        try {
            Optional<StoredRecord> current = read(ref);
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                if (current.isEmpty()) {
                    return new NoRecord();
                }
                StoredRecord read = current.get();
                InstanceRecord next;
                switch (change.apply(read.record())) {
                    case Transition.Already() -> {
                        return new Applied(read);
                    }
                    case Transition.Refused(Transition.Refusal reason, String detail) -> {
                        return new ChangeOutcome.Refused(reason, detail);
                    }
                    case Transition.Changed(InstanceRecord changed) ->
                        next = changed.writtenAs(read.record().version() + 1, newToken());
                }
                try {
                    String etag = store.put(ref.key(), CarlosJson.write(next), Precondition.ifMatch(read.etag()));
                    return new Applied(new StoredRecord(next, etag));
                } catch (CasConflictException e) {
                    backOff(attempt);
                } catch (AmbiguousWriteException e) {
                    lostAnswer = e;
                }
                current = read(ref);
                if (current.isPresent() && current.get().record().writer().equals(next.writer())) {
                    return new Applied(current.get());
                }
                // Another writer's version, or still the old one: a write that is yet to land can only fail on a
                // changed etag, or land before our next swap, which then conflicts. Either way the function decides.
            }
        } catch (StoreUnavailableException e) {
            if (lostAnswer == null) {
                throw e;
            }
            // Alone it would say that nothing was written.
            lostAnswer.addSuppressed(e);
            throw lostAnswer;
        }
        throw lostAnswer == null ? new RecordContendedException(ref, ATTEMPTS) : lostAnswer;
    }

    /** A text that no other call gives, as every write carries one. */
    public String newToken() {
        return Tokens.next(random);
    }

    private void backOff(int attempt) throws InterruptedException {
        long most = Math.min(MAX_BACKOFF.toMillis(), 4L << Math.min(attempt, 16));
        scheduler.sleep(Duration.ofMillis(random.nextLong(most + 1)));
    }
}

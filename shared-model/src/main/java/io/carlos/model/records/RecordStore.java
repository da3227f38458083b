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
 * <p>Store failures pass through: {@link io.carlos.store.StoreUnavailableException} when nothing was written, and {@link
 * AmbiguousWriteException} when the write's answer was lost and the record could not be read again. Change functions
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
        InstanceRecord first = record.writtenAs(1, token());
        RecordRef ref = first.ref();
        try {
            return Optional.of(
                    new StoredRecord(first, store.put(ref.key(), CarlosJson.write(first), Precondition.CREATE_ONLY)));
        } catch (CasConflictException e) {
            return Optional.empty();
        } catch (AmbiguousWriteException e) {
            // Still absent, it may yet land: the caller must not take it for somebody else's.
            StoredRecord found;
            try {
                found = read(ref).orElseThrow(() -> e);
            } catch (StoreUnavailableException failure) {
                throw unsettled(ref, e, failure);
            }
            return found.record().writer().equals(first.writer()) ? Optional.of(found) : Optional.empty();
        }
    }

    /**
     * Applies a change to the newest record until a swap holds.
     *
     * @throws RecordContendedException other writers were first every time
     * @throws UnreadableRecordException what is stored is no record of this version of Carlos
     */
    public ChangeOutcome change(RecordRef ref, RecordChange change) throws InterruptedException {
        AmbiguousWriteException unknown = null;
        try {
            Optional<StoredRecord> current = read(ref);
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                if (current.isEmpty()) {
                    return new NoRecord();
                }
                StoredRecord read = current.get();
                switch (change.apply(read.record())) {
                    case Transition.Already() -> {
                        return new Applied(read);
                    }
                    case Transition.Refused(Transition.Refusal reason, String detail) -> {
                        return new ChangeOutcome.Refused(reason, detail);
                    }
                    case Transition.Changed(InstanceRecord changed) -> {
                        InstanceRecord next = changed.writtenAs(read.record().version() + 1, token());
                        try {
                            byte[] value = CarlosJson.write(next);
                            String etag = store.put(ref.key(), value, Precondition.ifMatch(read.etag()));
                            return new Applied(new StoredRecord(next, etag));
                        } catch (CasConflictException e) {
                            backOff(attempt);
                            current = read(ref);
                        } catch (AmbiguousWriteException e) {
                            unknown = e;
                            current = read(ref);
                            if (current.isPresent()
                                    && current.get().record().writer().equals(next.writer())) {
                                return new Applied(current.get());
                            }
                            // Another writer's version, or still the old one: a write that is yet to land can only fail
                            // on a changed etag or land before our next swap, which then conflicts. Either way the
                            // function decides.
                        }
                    }
                }
            }
        } catch (StoreUnavailableException e) {
            throw unknown == null ? e : unsettled(ref, unknown, e);
        }
        throw unknown == null ? new RecordContendedException(ref, ATTEMPTS) : unknown;
    }

    /** An earlier swap's answer was lost, so a failure that by itself has written nothing must not be told as that. */
    private static AmbiguousWriteException unsettled(
            RecordRef ref, AmbiguousWriteException unknown, StoreUnavailableException failure) {
        AmbiguousWriteException told = new AmbiguousWriteException(
                "record " + ref + ": the answer to a write was lost, and then the store: " + failure.getMessage(),
                unknown);
        told.addSuppressed(failure);
        return told;
    }

    private void backOff(int attempt) throws InterruptedException {
        long most = Math.min(MAX_BACKOFF.toMillis(), 4L << Math.min(attempt, 16));
        scheduler.sleep(Duration.ofMillis(random.nextLong(most + 1)));
    }

    private String token() {
        return Tokens.next(random);
    }
}

package io.carlos.model.runs;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordChange;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.Transition.Refusal;
import io.carlos.model.text.Sha256Hex;
import io.carlos.model.time.Scheduler;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreException;
import io.carlos.store.StoreUnavailableException;
import io.carlos.store.StoredObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for a run: input files first, then the request, then one swap that names the run in the record. Until that swap
 * nothing can execute it, so a submission that fails leaves at most objects that nobody looks at.
 */
public final class RunSubmitter {
    /** How long a run may wait for a box. */
    public static final Duration PICKUP_TIME = Duration.ofSeconds(60);

    private static final Logger log = LoggerFactory.getLogger(RunSubmitter.class);
    private static final int WRITE_ATTEMPTS = 5;
    private static final int BUMP_ATTEMPTS = 3;

    private final ObjectStore store;
    private final RecordStore records;
    private final RunCloser closer;
    private final Scheduler scheduler;
    private final RandomGenerator random;

    /** @param random cryptographic: run ids come from it */
    public RunSubmitter(ObjectStore store, RecordStore records, Scheduler scheduler, RandomGenerator random) {
        this.store = store;
        this.records = records;
        this.closer = new RunCloser(store, records, scheduler);
        this.scheduler = scheduler;
        this.random = random;
    }

    /** Told of each input file when it is stored. */
    @FunctionalInterface
    public interface UploadProgress {
        void uploaded(InputFile file);
    }

    /**
     * Queues the run.
     *
     * @throws InvalidRunException the order passes a limit, or a file changed while it was read; nothing is queued
     * @throws IOException an input file cannot be read; nothing is queued
     * @throws StoreException the store failed; the run may be queued only after {@link AmbiguousWriteException}
     */
    public SubmitOutcome submit(RunOrder order, UploadProgress progress) throws IOException, InterruptedException {
        List<InputFile> files = describe(order.inputs());
        Optional<StoredRecord> stored = records.read(order.record());
        if (stored.isEmpty()) {
            return new SubmitOutcome.NoRecord();
        }
        InstanceRecord record = stored.get().record();
        RunRequest request = new RunRequest(
                RunRequest.SCHEMA,
                RunId.random(random),
                record.account(),
                record.app(),
                record.host(),
                record.incarnation(),
                order.argv(),
                order.timeout().toSeconds(),
                scheduler.now(),
                order.by(),
                files);
        // A first look spares the upload when the answer is plain already; the swap below decides.
        if (RunTransitions.admit(record, request.id(), order.by(), scheduler.now())
                instanceof Transition.Refused(Refusal reason, String detail)) {
            return new SubmitOutcome.Refused(reason, detail);
        }
        upload(order.inputs(), request, progress);
        putOnce(request.keys().request(), CarlosJson.write(request));
        return admit(request, record.region());
    }

    private List<InputFile> describe(List<RunInput> inputs) throws IOException {
        List<InputFile> files = new ArrayList<>();
        for (RunInput input : inputs) {
            byte[] content = input.read();
            files.add(new InputFile(input.name(), content.length, Sha256Hex.of(content)));
        }
        return files;
    }

    private void upload(List<RunInput> inputs, RunRequest request, UploadProgress progress)
            throws IOException, InterruptedException {
        for (int i = 0; i < inputs.size(); i++) {
            InputFile file = request.files().get(i);
            byte[] content = inputs.get(i).read();
            if (content.length != file.size() || !Sha256Hex.of(content).equals(file.sha256())) {
                throw new InvalidRunException("the input file " + file.name()
                        + " changed while it was being read; nothing was queued, try again when it is still");
            }
            putOnce(request.keys().input(file.name()), content);
            progress.uploaded(file);
        }
    }

    private SubmitOutcome admit(RunRequest request, String region) throws InterruptedException {
        ChangeOutcome outcome = admitPersistently(request);
        return switch (outcome) {
            case ChangeOutcome.NoRecord() -> new SubmitOutcome.NoRecord();
            case ChangeOutcome.Refused(Refusal reason, String detail) -> new SubmitOutcome.Refused(reason, detail);
            case ChangeOutcome.Applied applied -> {
                bump(region);
                yield new SubmitOutcome.Queued(request);
            }
        };
    }

    /** Repeats the admission after a lost answer, which tells nothing about whether it was done. */
    private ChangeOutcome admitPersistently(RunRequest request) throws InterruptedException {
        Admission admission = new Admission(request);
        AmbiguousWriteException lostAnswer = null;
        for (int attempt = 1; ; attempt++) {
            try {
                return records.change(request.recordRef(), admission);
            } catch (AmbiguousWriteException e) {
                lostAnswer = e;
            } catch (StoreUnavailableException e) {
                if (attempt >= WRITE_ATTEMPTS && lostAnswer == null) {
                    throw e;
                }
            }
            if (attempt >= WRITE_ATTEMPTS && lostAnswer != null) {
                throw lostAnswer;
            }
            scheduler.sleep(Duration.ofMillis(100L << attempt));
        }
    }

    /**
     * Admits one run once, however often it is applied. While the record names the run it tells by itself. But the run may
     * have been admitted, executed and ended, and another one admitted over it, all before a lost answer was given up:
     * admitted again it would be executed twice. Every submitter sees to it that a record goes on to another run only when
     * the result of the one before is stored; so without a result, a run that the record does not name was never admitted.
     */
    private final class Admission implements RecordChange {
        private final RunRequest request;
        private boolean applied;

        Admission(RunRequest request) {
            this.request = request;
        }

        @Override
        public Transition apply(InstanceRecord record) {
            if (!record.incarnation().equals(request.incarnation())) {
                return new Transition.Refused(
                        Refusal.OTHER_STATE, record.host() + " was deleted and made again in the meantime");
            }
            boolean again = applied;
            applied = true;
            // After the record was read: what ended before it went on to another run has its result by now.
            if (again && closer.result(request.keys()).isPresent()) {
                return new Transition.Already();
            }
            closer.writeQueuedEnd(record);
            // From this attempt on: earlier ones may have taken most of a minute.
            Instant deadline = scheduler.now().plus(PICKUP_TIME);
            return RunTransitions.admit(record, request.id(), request.requestedBy(), deadline);
        }
    }

    private void bump(String region) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                new ChangeMarker(store, region).bump(random);
                return;
            } catch (StoreException e) {
                log.warn("run: marker not moved: region={} attempt={} cause={}", region, attempt, e.getMessage());
            }
            if (attempt == BUMP_ATTEMPTS) {
                return; // the run is queued; boxes find it by their next pass
            }
            scheduler.sleep(Duration.ofMillis(100L << attempt));
        }
    }

    /** Stores an object that only this call writes: a key below a fresh run id. */
    private void putOnce(ObjectKey key, byte[] value) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                store.put(key, value, Precondition.CREATE_ONLY);
                return;
            } catch (CasConflictException e) {
                Optional<StoredObject> found = store.get(key);
                if (found.isPresent() && Arrays.equals(found.get().value(), value)) {
                    return; // an earlier attempt of this call, whose answer was lost
                }
                throw e;
            } catch (StoreException e) {
                if (attempt == WRITE_ATTEMPTS) {
                    throw e;
                }
                scheduler.sleep(Duration.ofMillis(100L << attempt));
            }
        }
    }
}

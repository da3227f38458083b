package io.carlos.model.runs;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordChange;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Records;
import io.carlos.model.time.OneProcess;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.RecordingObjectStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One record in a store, in a simulation of one process, and what operators and boxes do to it. The code under test
 * uses {@link #store}, which fails on demand; the helpers here go past it and never fail.
 */
public final class StoredRuns {
    public static final RunId ID = RunId.of("run_" + "a".repeat(26));
    public static final RunId LATER_ID = RunId.of("run_" + "b".repeat(26));
    public static final String BOX = "box-1";
    public static final String BOOT = "boot-1";

    private final OneProcess process;
    private final InMemoryObjectStore objects;
    private final RecordingObjectStore recording;
    private final FaultyObjectStore store;
    private final RecordStore records;
    private final RecordStore behind;
    private final RecordRef ref;

    public StoredRuns() {
        this(Records.of("a.example.com").withBox(BOX), new OneProcess());
    }

    public StoredRuns(InstanceRecord record, OneProcess process) {
        this.process = process;
        this.objects = new InMemoryObjectStore(process.scheduler()::now);
        this.recording = new RecordingObjectStore(objects);
        this.store = new FaultyObjectStore(recording);
        this.records = new RecordStore(store, process.scheduler(), new Random(1));
        this.behind = new RecordStore(objects, process.scheduler(), new Random(2));
        this.ref = record.ref();
        create(record);
    }

    public OneProcess process() {
        return process;
    }

    /** The store as the code under test sees it. */
    public FaultyObjectStore store() {
        return store;
    }

    /** What the code under test wrote. */
    public RecordingObjectStore written() {
        return recording;
    }

    /** What is stored, past every fault and every recording. */
    public InMemoryObjectStore objects() {
        return objects;
    }

    public RecordStore records() {
        return records;
    }

    public RecordRef ref() {
        return ref;
    }

    public RunKeys keys() {
        return new RunKeys(ref.account(), ref.app(), ID);
    }

    public Instant now() {
        return process.scheduler().now();
    }

    public void create(InstanceRecord record) {
        if (behind.create(record).isEmpty()) {
            throw new AssertionError("there is a record " + record.ref());
        }
    }

    public InstanceRecord record() {
        return behind.read(ref).orElseThrow().record();
    }

    public ActiveRun run() {
        return record().run().orElseThrow();
    }

    /** Makes the change as another writer. */
    public InstanceRecord change(RecordChange change) {
        return change(ref, change);
    }

    private InstanceRecord change(RecordRef of, RecordChange change) {
        try {
            return switch (behind.change(of, change)) {
                case ChangeOutcome.Applied(var stored) -> stored.record();
                case ChangeOutcome.Refused refused -> throw new AssertionError(refused);
                case ChangeOutcome.NoRecord none -> throw new AssertionError(none);
            };
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Replaces what the record says, whatever the rules are. */
    public InstanceRecord set(InstanceRecord changed) {
        return change(record -> new Transition.Changed(changed));
    }

    public InstanceRecord queue(RunId id) {
        return queue(ref, id);
    }

    private InstanceRecord queue(RecordRef of, RunId id) {
        return change(of, record -> RunTransitions.admit(record, id, "ann", now().plus(RunSubmitter.PICKUP_TIME)));
    }

    /** Queues {@link #ID} with its request. */
    public InstanceRecord queue(List<String> argv, Duration timeout) {
        return queue(record(), ID, argv, timeout);
    }

    /** Queues a run with its request on any record. */
    public InstanceRecord queue(InstanceRecord on, RunId id, List<String> argv, Duration timeout) {
        RunRequest request = new RunRequest(
                RunRequest.SCHEMA,
                id,
                on.account(),
                on.app(),
                on.host(),
                on.incarnation(),
                argv,
                timeout.toSeconds(),
                now(),
                "ann",
                List.of());
        put(request.keys().request(), CarlosJson.write(request));
        return queue(on.ref(), id);
    }

    public InstanceRecord pick(String box, String boot, Duration time) {
        return change(record -> RunTransitions.pick(record, ID, box, boot, "attempt", now(), now().plus(time)));
    }

    public InstanceRecord cancel() {
        return change(record -> RunTransitions.cancel(record, ID));
    }

    public InstanceRecord finish() {
        return change(record -> RunTransitions.finish(record, ID));
    }

    public void putChunk(long seq, OutputChannel channel, String text) {
        put(keys().chunk(seq, channel), text.getBytes(StandardCharsets.UTF_8));
    }

    public RunResult putResult(int exit, long lastSeq) {
        RunResult result =
                new RunResult(RunResult.SCHEMA, exit, "", now(), now(), lastSeq, false, false, false, "", "", "", BOX);
        put(keys().result(), CarlosJson.write(result));
        return result;
    }

    public Optional<RunResult> result() {
        return objects.get(keys().result())
                .map(o -> CarlosJson.read("result", o.value(), RunResult.class, RunResult.SCHEMA));
    }

    private void put(ObjectKey key, byte[] value) {
        objects.put(key, value, Precondition.CREATE_ONLY);
    }
}

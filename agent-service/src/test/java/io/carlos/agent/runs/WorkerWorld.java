package io.carlos.agent.runs;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler;
import io.carlos.store.ObjectKey;
import io.carlos.store.RecordingObjectStore.Write;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A worker over one stored record, a scripted launcher and a journal of what took effect, in order. */
final class WorkerWorld {
    static final Duration TIMEOUT = Duration.ofMinutes(10);
    static final InstanceRecord RECORD = Records.of("a.example.com").withBox(StoredRuns.BOX);

    private final StoredRuns runs;
    private final Scheduler scheduler;
    private final List<String> journal = new ArrayList<>();
    private final ScriptedLauncher launcher;
    private final RecordingDirectories directories;
    private final RunsWorker worker;

    WorkerWorld() {
        this(RECORD, new OneProcess());
    }

    WorkerWorld(InstanceRecord record, OneProcess process) {
        this(new StoredRuns(record, process), process.scheduler());
    }

    /** A world whose box belongs to a fleet. */
    static WorkerWorld in(Fleet fleet) {
        OneProcess process = new OneProcess();
        return new WorkerWorld(new StoredRuns(RECORD, process), process.scheduler(), fleet);
    }

    /** @param scheduler the worker's own view of time */
    WorkerWorld(StoredRuns runs, Scheduler scheduler) {
        this(runs, scheduler, Fleet.NONE);
    }

    private WorkerWorld(StoredRuns runs, Scheduler scheduler, Fleet fleet) {
        this.runs = runs;
        this.scheduler = scheduler;
        this.launcher = new ScriptedLauncher(scheduler);
        this.directories = new RecordingDirectories(journal);
        this.worker = new RunsWorker(new RunsContext(
                new BoxIdentity(StoredRuns.BOX, StoredRuns.BOOT, "r1", List.of()),
                runs.store(),
                runs.records(),
                new RunCloser(runs.store(), runs.records(), scheduler),
                Map.of(Isolation.PROCESS, launcher),
                directories,
                scheduler,
                new Random(3),
                RunsSettings.DEFAULTS,
                fleet));
        runs.written().onWrite(write -> journal.add(describe(write)));
    }

    private String describe(Write write) {
        String key = write.key().value();
        String prefix = runs.keys().request().value().replace("request.json", "");
        if (key.startsWith(prefix)) {
            return key.substring(prefix.length());
        }
        if (!write.key().equals(runs.ref().key())) {
            return key;
        }
        InstanceRecord record = CarlosJson.read("record", write.value(), InstanceRecord.class);
        return record.run().map(ActiveRun::state).map(Object::toString).orElse("none");
    }

    /** Queues a run that may take {@link #TIMEOUT}. */
    WorkerWorld queued() {
        runs.queue(List.of("import", "rows"), TIMEOUT);
        return this;
    }

    /** What a pass does, from a fiber. */
    void see() {
        worker.runSeen(runs.record());
        worker.act();
    }

    /** Queues a run, lets the worker see it, and plays until nothing is left to do. */
    RunResult play() throws Exception {
        queued();
        pass();
        return result();
    }

    /** Lets the worker see the record, and plays until nothing is left to do. */
    void pass() throws Exception {
        runs.process().call(() -> {
            see();
            return null;
        });
    }

    void after(Duration delay, OneProcess.Body body) {
        runs.process().after(delay, body);
    }

    RunResult result() {
        return runs.result().orElseThrow(() -> new AssertionError("there is no result: " + journal));
    }

    /** The stored bytes of one chunk as text. */
    String chunk(String name) {
        String key = runs.keys().chunkPrefix() + name;
        return new String(runs.objects().get(ObjectKey.of(key)).orElseThrow().value(), StandardCharsets.UTF_8);
    }

    StoredRuns runs() {
        return runs;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    RunsWorker worker() {
        return worker;
    }

    ScriptedLauncher launcher() {
        return launcher;
    }

    RecordingDirectories directories() {
        return directories;
    }

    List<String> journal() {
        return journal;
    }
}

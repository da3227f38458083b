package io.carlos.agent.service;

import io.carlos.agent.local.LocalBoxes;
import io.carlos.agent.local.LocalRecords;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.Scheduler;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.OpenedStore;
import io.carlos.store.StoreException;
import io.carlos.store.location.StoreLocation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;

/** Executes a run of its own and ends, for a box to see which classes its agent needs and to keep them ready. */
final class TrainingRun {
    private static final RecordRef REF =
            new RecordRef(Account.of("training"), App.of("training"), Host.of("training.example.com"));

    private TrainingRun() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path root = Files.createTempDirectory("agent-training");
        try {
            askForABucket();
            try (ConfigurableApplicationContext context = AgentApplication.builder()
                    .profiles("box")
                    .run(
                            "--logging.level.root=warn",
                            "--carlos.agent.box=training",
                            "--carlos.agent.region=" + LocalBoxes.REGION,
                            "--carlos.agent.isolations=process",
                            "--carlos.agent.store=" + root.resolve("store"),
                            "--carlos.agent.data=" + root.resolve("data"),
                            "--carlos.agent.run=" + root.resolve("run"))) {
                execute(context);
            }
        } finally {
            remove(root);
        }
    }

    private static void execute(ConfigurableApplicationContext context) throws IOException, InterruptedException {
        ObjectStore store = context.getBean(ObjectStore.class);
        RecordStore records = context.getBean(RecordStore.class);
        Scheduler scheduler = context.getBean(Scheduler.class);
        RandomGenerator random = context.getBean(RandomGenerator.class);
        new LocalRecords(store, records).ensure(REF, "training", scheduler.now());
        RunOrder order = new RunOrder(REF, List.of("echo", "trained"), Duration.ofMinutes(1), "training", List.of());
        SubmitOutcome outcome = new RunSubmitter(store, records, scheduler, random).submit(order, file -> {});
        if (!(outcome instanceof SubmitOutcome.Queued queued)) {
            throw new IllegalStateException("the run was not queued: " + outcome + "; the cache would be of no use");
        }
        RunRequest request = queued.request();
        FollowEnd end = new RunFollower(store, records, scheduler, Duration.ofMillis(100))
                .follow(request.recordRef(), request.id(), 1, (seq, channel, bytes) -> {});
        if (!(end instanceof FollowEnd.Ended ended) || ended.result().lastSeq() != 1) {
            throw new IllegalStateException("the run gave no output: " + end + "; the cache would be of no use");
        }
    }

    /** Nobody answers there, and the libraries of S3 are loaded all the same. */
    private static void askForABucket() {
        System.setProperty("aws.accessKeyId", "training");
        System.setProperty("aws.secretAccessKey", "training");
        try (OpenedStore bucket =
                StoreLocation.of("s3://training?endpoint=http://127.0.0.1:1").open()) {
            bucket.objects().get(ObjectKey.of("training"));
            throw new IllegalStateException("a store answered on port 1 of this machine");
        } catch (StoreException expected) {
            // It came as far as to be refused.
        }
    }

    private static void remove(Path root) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(root)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}

package io.carlos.agent.service;

import io.carlos.agent.instance.PlayedBox;
import io.carlos.agent.local.LocalBoxes;
import io.carlos.agent.local.LocalRecords;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/** The service in the profile of a box, over a directory store, with its socket below a directory. */
public final class RunningBox implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final BoxPaths paths;
    private final Path store;

    /**
     * @param isolations as an operator sets them
     * @param changes beans before the service's own, when primary
     */
    public RunningBox(Path root, String isolations, Class<?>... changes) throws IOException {
        this(root, isolations, List.of(), changes);
    }

    /** @param settings more of what an operator sets, as arguments of the agent */
    public RunningBox(Path root, String isolations, List<String> settings, Class<?>... changes) throws IOException {
        this.store = root.resolve("store");
        PlayedBox.makeDirectories(
                BoxPaths.DEFAULT.withData(root.resolve("data")).withRun(root.resolve("run/carlos")));
        DirectoryObjectStore.open(store).close();
        List<String> arguments = new ArrayList<>(List.of(
                "--carlos.agent.store=" + store,
                "--carlos.agent.data=" + root.resolve("data"),
                "--carlos.agent.run=" + root.resolve("run/carlos"),
                "--carlos.agent.isolations=" + isolations,
                "--carlos.agent.box=b1",
                "--carlos.agent.region=" + LocalBoxes.REGION,
                "--carlos.agent.actuator-address=127.0.0.1:0",
                "--carlos.agent.look-interval=100ms",
                "--carlos.agent.stop-grace=1s"));
        arguments.addAll(settings);
        this.context =
                AgentApplication.builder().sources(changes).profiles("box").run(arguments.toArray(String[]::new));
        this.paths = context.getBean(BoxPaths.class);
    }

    public BoxPaths paths() {
        return paths;
    }

    public AdminClient client() {
        return new AdminClient(paths.agentSocket());
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Makes the record of an instance that is a unit, for this box to take. */
    public void instance(String host) {
        SystemScheduler scheduler = new SystemScheduler();
        SecureRandom random = new SecureRandom();
        try (DirectoryObjectStore objects = DirectoryObjectStore.open(store)) {
            InstanceRecord record = InstanceRecord.created(
                    new RecordRef(Account.of("acme"), App.of("web"), Host.of(host)),
                    "web",
                    LocalBoxes.REGION,
                    "stable",
                    List.of(),
                    scheduler.now(),
                    Isolation.UNIT,
                    MemoryTier.values()[0].maxBytes(),
                    Map.of());
            new RecordStore(objects, scheduler, random).create(record);
            new ChangeMarker(objects, LocalBoxes.REGION).bump(random);
        }
    }

    /** Makes the record of an instance without isolation, and queues a run for it. */
    public RunRequest queue(String host, String... argv) throws Exception {
        SystemScheduler scheduler = new SystemScheduler();
        SecureRandom random = new SecureRandom();
        try (DirectoryObjectStore objects = DirectoryObjectStore.open(store)) {
            RecordStore records = new RecordStore(objects, scheduler, random);
            RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of(host));
            new LocalRecords(objects, records).ensure(ref, null, scheduler.now());
            RunOrder order = new RunOrder(ref, List.of(argv), Duration.ofMinutes(5), "test", List.of());
            return ((SubmitOutcome.Queued)
                            new RunSubmitter(objects, records, scheduler, random).submit(order, file -> {}))
                    .request();
        }
    }

    @Override
    public void close() {
        context.close();
    }
}

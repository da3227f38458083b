package io.carlos.agent.service;

import io.carlos.agent.local.LocalRecords;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        this.store = root.resolve("store");
        try (DirectoryObjectStore _ = DirectoryObjectStore.open(store)) {
            Files.createDirectories(root.resolve("data"));
        }
        List<String> arguments = new ArrayList<>(List.of(
                "--carlos.agent.store=" + store,
                "--carlos.agent.data=" + root.resolve("data"),
                "--carlos.agent.run=" + root.resolve("run/carlos"),
                "--carlos.agent.isolations=" + isolations,
                "--carlos.agent.box=b1",
                "--carlos.agent.region=local",
                "--carlos.agent.look-interval=100ms",
                "--carlos.agent.stop-grace=1s"));
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

    /** Makes the record of an instance of this box's region, isolated as given, and queues a run for it. */
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

package io.carlos.agent.service;

import io.carlos.agent.local.LocalRecords;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.FollowListener;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.directory.DirectoryObjectStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** The service with its real beans over a directory store, and an operator who has the store open too. */
final class RunningService implements AutoCloseable {
    private final SystemScheduler scheduler = new SystemScheduler();
    private final SecureRandom random = new SecureRandom();
    private final ConfigurableApplicationContext context;
    private final DirectoryObjectStore store;
    private final RecordStore records;

    /** @param changes beans beside the service's own, or before them when primary */
    RunningService(Path root, Class<?>... changes) {
        context = AgentApplication.builder()
                .sources(changes)
                .profiles("local")
                .run("--carlos.agent.store=" + root, "--carlos.agent.stop-grace=1s");
        store = DirectoryObjectStore.open(root);
        records = new RecordStore(store, scheduler, random);
    }

    RunRequest queue(String host, String... argv) throws Exception {
        RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of(host));
        new LocalRecords(store, records).ensure(ref, null, scheduler.now());
        RunOrder order = new RunOrder(ref, List.of(argv), Duration.ofMinutes(5), "test", List.of());
        return ((SubmitOutcome.Queued) new RunSubmitter(store, records, scheduler, random).submit(order, file -> {}))
                .request();
    }

    RunResult follow(RunRequest request, FollowListener listener) throws Exception {
        RunFollower follower = new RunFollower(store, records, scheduler, Duration.ofMillis(100));
        return ((FollowEnd.Ended) follower.follow(request.recordRef(), request.id(), 1, listener)).result();
    }

    RunResult follow(RunRequest request) throws Exception {
        return follow(request, (seq, channel, bytes) -> {});
    }

    InstanceRecord record(RunRequest request) {
        return records.read(request.recordRef()).orElseThrow().record();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** What SIGTERM does. */
    void shutDown() {
        context.close();
    }

    @Override
    public void close() {
        context.close();
        store.close();
    }
}

package io.carlos.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.directory.DirectoryObjectStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two agents, each a process, on one directory store. */
class ManyRunsTest {
    private static final int RUNS = 200;

    @TempDir
    Path directory;

    @Test
    void two_hundred_runs_on_two_hundred_hosts_are_each_launched_once_and_complete() throws Exception {
        SystemScheduler scheduler = new SystemScheduler();
        SecureRandom random = new SecureRandom();
        Path root = directory.resolve("store");
        Path launches = directory.resolve("launches");
        try (DirectoryObjectStore store = DirectoryObjectStore.open(root);
                AgentProcess _ = AgentProcess.start(root, 0, directory.resolve("log-1"));
                AgentProcess _ = AgentProcess.start(root, 0, directory.resolve("log-2"))) {
            RecordStore records = new RecordStore(store, scheduler, random);
            RunSubmitter submitter = new RunSubmitter(store, records, scheduler, random);
            LocalRecords local = new LocalRecords(store, records);
            List<RunRequest> requests = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of("h" + i + ".example.com"));
                local.ensure(ref, null, scheduler.now());
                // One short write at the end of a file is atomic.
                List<String> argv = List.of("sh", "-c", "echo $CARLOS_RUN_ID >> " + launches + "; echo $CARLOS_HOST");
                RunOrder order = new RunOrder(ref, argv, Duration.ofMinutes(5), "test", List.of());
                requests.add(((SubmitOutcome.Queued) submitter.submit(order, file -> {})).request());
            }
            Set<String> boxes = new HashSet<>();
            RunFollower follower = new RunFollower(store, records, scheduler, Duration.ofMillis(200));
            for (RunRequest request : requests) {
                StringBuilder output = new StringBuilder();
                FollowEnd end = follower.follow(
                        request.recordRef(),
                        request.id(),
                        1,
                        (seq, channel, bytes) -> output.append(new String(bytes)));
                assertThat(end).isInstanceOfSatisfying(FollowEnd.Ended.class, ended -> {
                    assertThat(ended.result().interrupted() + ended.result().refused())
                            .isEmpty();
                    assertThat(ended.result().exit()).isZero();
                    boxes.add(ended.result().box());
                });
                assertThat(output.toString()).isEqualTo(request.host() + "\n");
            }
            assertThat(Files.readAllLines(launches))
                    .containsExactlyInAnyOrderElementsOf(requests.stream()
                            .map(request -> request.id().value())
                            .toList());
            System.out.println("many runs: " + RUNS + " runs on boxes " + boxes);
        }
    }
}

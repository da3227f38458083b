package io.carlos.deploy.inside;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Asks for a run on each of many new hosts at once, as that many operators would, and prints a line for each that has ended: host,
 * run, exit code or what came of it instead, and output. One process, since that many command lines would take minutes.
 *
 * <p>Arguments: the store, the number of hosts, the command.
 */
final class ManyRuns {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final String REGION = "local";

    private final DirectoryObjectStore store;
    private final SystemScheduler scheduler = new SystemScheduler();
    private final SecureRandom random = new SecureRandom();
    private final RecordStore records;

    private ManyRuns(Path root) {
        store = DirectoryObjectStore.open(root);
        records = new RecordStore(store, scheduler, random);
    }

    static String host(int number) {
        return "many" + number + ".example.com";
    }

    public static void main(String[] arguments) throws Exception {
        List<String> command = List.of(arguments).subList(2, arguments.length);
        ManyRuns runs = new ManyRuns(Path.of(arguments[0]));
        List<Future<String>> ended = new ArrayList<>();
        try (ExecutorService operators = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                String host = host(i);
                ended.add(operators.submit(() -> runs.run(host, command)));
            }
        }
        for (Future<String> end : ended) {
            System.out.println(end.get());
        }
    }

    private String run(String host, List<String> command) throws Exception {
        RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of(host));
        InstanceRecord record = InstanceRecord.created(
                ref, "web", REGION, "stable", List.of(), scheduler.now(), Isolation.UNIT, 536_870_912, Map.of());
        records.create(record);
        ChangeMarker marker = new ChangeMarker(store, REGION);
        RunOrder order = new RunOrder(ref, command, TIMEOUT, "test", List.of());
        SubmitOutcome outcome = new RunSubmitter(store, records, scheduler, random).submit(order, file -> {});
        if (!(outcome instanceof SubmitOutcome.Queued(RunRequest request))) {
            return host + " - " + outcome;
        }
        marker.bump(random);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        FollowEnd end = new RunFollower(store, records, scheduler, Duration.ofSeconds(1))
                .follow(ref, request.id(), 1, (seq, channel, bytes) -> output.write(bytes, 0, bytes.length));
        String text = output.toString(StandardCharsets.UTF_8).strip();
        return host + " " + request.id() + " "
                + (end instanceof FollowEnd.Ended(var result)
                                && result.interrupted().isEmpty()
                        ? result.exit()
                        : end)
                + " " + text;
    }
}

package io.carlos.agent.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Tokens;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.s3.FaultProxy;
import io.carlos.store.s3.FaultProxy.Fault;
import io.carlos.store.s3.S3ObjectStore;
import io.carlos.store.s3.S3Server;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Agents, each the real service as a process, over one bucket of a real S3 server. */
@ExtendWith(S3Server.class)
class FleetOverS3Test {
    private static final int RUNS = 300;
    private static final long SEED = Long.getLong("carlos.test.seed", 1);
    private static final Map<Fault, Double> FAULTS =
            Map.of(Fault.LOSE_ANSWER, 0.05, Fault.RACE, 0.05, Fault.ERROR_AFTER_WRITE, 0.02);

    @TempDir
    private Path directory;

    private final S3Server.Endpoint server;
    private final S3ObjectStore store;
    private final SystemScheduler scheduler = new SystemScheduler();
    private final SecureRandom random = new SecureRandom();
    private final RecordStore records;
    private final List<FleetAgent> agents = new ArrayList<>();

    /** Other tests have the same bucket. */
    private final String region = "r" + Tokens.next(random).substring(0, 8);

    FleetOverS3Test(S3Server.Endpoint server) {
        this.server = server;
        this.store = S3ObjectStore.open(server.settings(), server.credentials());
        this.records = new RecordStore(store, scheduler, random);
    }

    @AfterEach
    void endAgents() {
        agents.forEach(FleetAgent::close);
        store.close();
    }

    @Test
    void three_hundred_runs_through_a_network_that_loses_answers_are_each_launched_once_and_complete()
            throws Exception {
        Path launches = Files.createFile(directory.resolve("launches"));
        try (FaultProxy proxy = new FaultProxy(server.server(), SEED, Map.of())) {
            for (String box : List.of("b1", "b2", "b3")) {
                agents.add(
                        FleetAgent.start(server, proxy.uri(), box, directory, "region=" + region, "max-instances=100"));
            }
            for (FleetAgent agent : agents) {
                agent.awaitReady();
            }
            for (int i = 0; i < RUNS; i++) {
                create("h" + i + ".example.com");
            }
            bump();
            Patience.await("owners of all records", this::allOwned);
            proxy.fail(FAULTS);
            List<RunRequest> requests = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                // One short write at the end of a file is atomic.
                requests.add(queue(
                        "h" + i + ".example.com",
                        "echo $CARLOS_RUN_ID >> " + launches
                                + "; head -c 300000 /dev/zero | tr '\\0' x; echo $CARLOS_HOST"));
            }
            bump();
            Map<String, Integer> perBox = new TreeMap<>();
            for (RunRequest request : requests) {
                ByteArrayOutputStream output = new ByteArrayOutputStream();
                RunResult result = follow(request, output);
                assertThat(result.interrupted() + result.refused())
                        .as("seed %d: %s", SEED, result)
                        .isEmpty();
                assertThat(result.exit()).isZero();
                assertThat(output.toString(StandardCharsets.US_ASCII))
                        .isEqualTo("x".repeat(300_000) + request.host() + "\n");
                perBox.merge(result.box(), 1, Integer::sum);
            }
            assertThat(Files.readAllLines(launches))
                    .containsExactlyInAnyOrderElementsOf(requests.stream()
                            .map(request -> request.id().value())
                            .toList());
            assertThat(perBox).hasSize(3);
            for (Fault fault : FAULTS.keySet()) {
                assertThat(proxy.count(fault)).as("%s", fault).isPositive();
            }
            System.out.println("fleet: " + RUNS + " runs, by box " + perBox + "; lost answers "
                    + proxy.count(Fault.LOSE_ANSWER) + ", races " + proxy.count(Fault.RACE) + ", errors after a write "
                    + proxy.count(Fault.ERROR_AFTER_WRITE));
        }
    }

    @Test
    void the_instances_of_a_frozen_box_are_taken_over_and_when_it_goes_on_nothing_runs_twice() throws Exception {
        Path launches = Files.createFile(directory.resolve("launches"));
        FleetAgent frozen = member("b1");
        create("a.example.com");
        bump();
        RunRequest first = queue("a.example.com", "echo first >> " + launches + "; echo before; exec sleep 3000");
        bump();
        Patience.await("the command", () -> Files.readString(launches).contains("first"));
        Patience.await("its output", () -> !chunks(first).isEmpty());
        List<ProcessHandle> commands = frozen.process().descendants().toList();
        assertThat(commands).isNotEmpty();
        frozen.freeze();
        member("b2");

        RunResult result = follow(first, new ByteArrayOutputStream());
        assertThat(result.interrupted()).isEqualTo("the box went away");
        Patience.await("the new owner", () -> "b2".equals(read("a.example.com").box()));
        RunRequest second = queue("a.example.com", "echo second >> " + launches + "; echo done");
        bump();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        assertThat(follow(second, output)).satisfies(end -> {
            assertThat(end.exit()).isZero();
            assertThat(end.box()).isEqualTo("b2");
        });
        List<String> stored = chunks(first);

        frozen.thaw();

        // Its next heartbeat fails, so it stops its command, writes nothing and ends, to be started anew.
        Patience.await("the end of the box's old agent", () -> !frozen.process().isAlive());
        assertThat(frozen.process().exitValue()).isEqualTo(75);
        assertThat(commands).allSatisfy(command -> assertThat(command.isAlive()).isFalse());
        assertThat(output.toString(StandardCharsets.US_ASCII)).isEqualTo("done\n");
        assertThat(Files.readAllLines(launches)).containsExactly("first", "second");
        assertThat(chunks(first)).isEqualTo(stored);
        assertThat(follow(first, new ByteArrayOutputStream())).isEqualTo(result);

        member("b1");
        assertThat(read("a.example.com").box()).isEqualTo("b2");
        create("b.example.com");
        bump();
        Patience.await("a box for another record", () -> read("b.example.com").box() != null);
        assertThat(Files.readAllLines(launches)).containsExactly("first", "second");
    }

    @Test
    void the_instances_of_a_killed_box_are_taken_over_and_its_run_is_closed_out() throws Exception {
        Path launches = Files.createFile(directory.resolve("launches"));
        FleetAgent killed = member("b1");
        create("a.example.com");
        bump();
        RunRequest run = queue("a.example.com", "echo once >> " + launches + "; exec sleep 3000");
        bump();
        Patience.await("the command", () -> Files.readString(launches).contains("once"));
        List<ProcessHandle> left = killed.process().descendants().toList();
        killed.kill();
        try {
            member("b2");

            RunResult result = follow(run, new ByteArrayOutputStream());

            assertThat(result.interrupted()).isEqualTo("the box went away");
            Patience.await(
                    "the new owner", () -> "b2".equals(read("a.example.com").box()));
            assertThat(Files.readAllLines(launches)).containsExactly("once");
        } finally {
            left.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private FleetAgent member(String box) throws Exception {
        FleetAgent agent = FleetAgent.start(
                server,
                server.server(),
                box,
                directory,
                "region=" + region,
                "lost-after=10s",
                "take-over=automatic",
                "pass-interval=2s");
        agents.add(agent);
        agent.awaitReady();
        return agent;
    }

    private void create(String host) {
        RecordRef ref = ref(host);
        assertThat(records.create(InstanceRecord.created(
                        ref,
                        "s",
                        region,
                        "stable",
                        List.of(),
                        scheduler.now(),
                        Isolation.PROCESS,
                        536870912,
                        Map.of())))
                .isPresent();
    }

    private RunRequest queue(String host, String script) throws Exception {
        RunOrder order = new RunOrder(ref(host), List.of("sh", "-c", script), Duration.ofMinutes(5), "test", List.of());
        RunSubmitter submitter = new RunSubmitter(store, records, scheduler, random);
        return ((SubmitOutcome.Queued) submitter.submit(order, file -> {})).request();
    }

    private RunResult follow(RunRequest request, ByteArrayOutputStream output) throws Exception {
        RunFollower follower = new RunFollower(store, records, scheduler, Duration.ofMillis(500));
        FollowEnd end = follower.follow(
                request.recordRef(), request.id(), 1, (seq, channel, bytes) -> output.writeBytes(bytes));
        return ((FollowEnd.Ended) end).result();
    }

    private InstanceRecord read(String host) {
        return records.read(ref(host)).orElseThrow().record();
    }

    private boolean allOwned() {
        for (int i = 0; i < RUNS; i++) {
            if (read("h" + i + ".example.com").box() == null) {
                return false;
            }
        }
        return true;
    }

    private List<String> chunks(RunRequest request) {
        return store.list(request.keys().chunkPrefix(), "", 1000).stream()
                .map(object -> object.key().value())
                .toList();
    }

    private void bump() {
        new ChangeMarker(store, region).bump(random);
    }

    private RecordRef ref(String host) {
        return new RecordRef(Account.of("acme"), App.of(region), Host.of(host));
    }
}

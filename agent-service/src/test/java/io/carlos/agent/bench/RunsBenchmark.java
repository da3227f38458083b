package io.carlos.agent.bench;

import io.carlos.agent.AgentSettings;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.local.LocalAgent;
import io.carlos.agent.local.LocalAgent.Claims;
import io.carlos.agent.local.LocalBoxes;
import io.carlos.agent.local.LocalRecords;
import io.carlos.agent.reconcile.ClaimPolicy;
import io.carlos.agent.reconcile.PassReport;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The runs system against its bars, over a directory store with plain processes; prints one table. */
public final class RunsBenchmark {
    private static final int CHUNK = 256 * 1024;
    private static final int OUTPUT = 48 * 1024 * 1024;
    private static final int ROUNDS = 15;
    private static final Duration POLL = Duration.ofMillis(20);

    private final SystemScheduler scheduler = new SystemScheduler();
    private final SecureRandom random = new SecureRandom();
    private final Path work;
    private final List<String[]> rows = new ArrayList<>();

    private RunsBenchmark(Path work) {
        this.work = work;
    }

    public static void main(String[] arguments) throws Exception {
        Path work = Files.createTempDirectory("carlos-runs-benchmark");
        try {
            RunsBenchmark benchmark = new RunsBenchmark(work);
            benchmark.latency();
            benchmark.throughput("output of a run against bare puts", Bench::awaitResult);
            benchmark.throughput("the same while somebody follows it", Bench::follow);
            benchmark.manyAtOnce();
            benchmark.unchangedPass();
            benchmark.print();
        } finally {
            try (Stream<Path> files = Files.walk(work)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    /** Everything that one row needs, over a fresh store, with an agent at work. */
    private final class Bench implements AutoCloseable {
        private final DirectoryObjectStore store;
        private final RecordStore records;
        private final LocalAgent agent;

        Bench(String name) throws IOException {
            Path root = work.resolve(name);
            store = DirectoryObjectStore.open(root);
            records = new RecordStore(store, scheduler, random);
            agent = new LocalAgent(
                    new LocalBoxes(root).takeFree(), store, Claims.ALL, AgentSettings.DEFAULTS, scheduler, random);
            agent.start();
        }

        RunRequest submit(String host, String... argv) throws IOException, InterruptedException {
            RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of(host));
            new LocalRecords(store, records).ensure(ref, null, scheduler.now());
            RunOrder order = new RunOrder(ref, List.of(argv), Duration.ofMinutes(10), "bench", List.of());
            return ((SubmitOutcome.Queued)
                            new RunSubmitter(store, records, scheduler, random).submit(order, file -> {}))
                    .request();
        }

        RunResult follow(RunRequest request) throws IOException, InterruptedException {
            FollowEnd end = new RunFollower(store, records, scheduler, POLL)
                    .follow(request.recordRef(), request.id(), 1, (seq, channel, bytes) -> {});
            return ((FollowEnd.Ended) end).result();
        }

        /** Waits for the end without reading any output. */
        RunResult awaitResult(RunRequest request) throws InterruptedException {
            RunCloser closer = new RunCloser(store, records, scheduler);
            Optional<RunResult> result = closer.result(request.keys());
            while (result.isEmpty()) {
                scheduler.sleep(POLL);
                result = closer.result(request.keys());
            }
            return result.get();
        }

        @Override
        public void close() throws IOException {
            try {
                agent.stop();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            store.close();
        }
    }

    private void latency() throws Exception {
        try (Bench bench = new Bench("latency")) {
            long[] nanos = new long[60];
            for (int i = -10; i < nanos.length; i++) {
                // A host each: a record says done a moment after its result is there.
                RunRequest request = bench.submit("h" + (i + 10) + ".example.com", "true");
                RunResult result = bench.follow(request);
                if (i >= 0) {
                    nanos[i] = Duration.between(request.requestedAt(), result.started())
                            .toNanos();
                }
            }
            Arrays.sort(nanos);
            row("queued → started, p50", millis(nanos[nanos.length / 2]), "1200 ms (stretch 50 ms)");
            row("queued → started, p99", millis(nanos[nanos.length - 1]), "2500 ms");
        }
    }

    /** How the end of a run is waited for, which may cost what the run itself would use. */
    @FunctionalInterface
    private interface Waiting {
        RunResult until(Bench bench, RunRequest request) throws IOException, InterruptedException;
    }

    private void throughput(String what, Waiting waiting) throws Exception {
        Path blob = work.resolve("blob");
        byte[] bytes = new byte[OUTPUT];
        random.nextBytes(bytes);
        Files.write(blob, bytes);
        List<Double> ratios = new ArrayList<>();
        try (Bench bench = new Bench(what)) {
            for (int round = 0; round < ROUNDS; round++) {
                long start = System.nanoTime();
                for (int offset = 0; offset < OUTPUT; offset += CHUNK) {
                    byte[] chunk = Arrays.copyOfRange(bytes, offset, offset + CHUNK);
                    bench.store.put(ObjectKey.of("bare/" + round + "/" + offset), chunk, Precondition.CREATE_ONLY);
                }
                long bare = System.nanoTime() - start;
                RunRequest request = bench.submit("h" + round + ".example.com", "cat", blob.toString());
                RunResult result = waiting.until(bench, request);
                if (result.exit() != 0 || result.lastSeq() != OUTPUT / CHUNK) {
                    throw new IllegalStateException("the output is not whole: " + result);
                }
                long run = Duration.between(result.started(), result.ended()).toNanos();
                ratios.add((double) bare / run);
            }
        }
        ratios.sort(Comparator.naturalOrder());
        row(what, String.format("%.2f ×", ratios.get(ratios.size() / 2)), "0.8 × (stretch 0.95 ×)");
    }

    private void manyAtOnce() throws Exception {
        try (Bench bench = new Bench("many")) {
            long start = System.nanoTime();
            List<RunRequest> requests = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                requests.add(bench.submit("h" + i + ".example.com", "true"));
            }
            for (RunRequest request : requests) {
                bench.follow(request);
            }
            row("200 runs on 200 hosts, queued and done", seconds(System.nanoTime() - start), "30 s (stretch 10 s)");
        }
    }

    private void unchangedPass() throws Exception {
        FaultyObjectStore store = new FaultyObjectStore(new InMemoryObjectStore());
        RecordStore records = new RecordStore(store, scheduler, random);
        LocalRecords local = new LocalRecords(store, records);
        for (int i = 0; i < 10_000; i++) {
            local.ensure(
                    new RecordRef(Account.of("acme"), App.of("web"), Host.of("h" + i + ".example.com")),
                    "box",
                    scheduler.now());
        }
        BoxIdentity box = new BoxIdentity("box", "boot", LocalBoxes.REGION, List.of());
        Reconciler reconciler = new Reconciler(
                box, ClaimPolicy.unowned(record -> true), Fleet.NONE, store, records, record -> {}, scheduler);
        reconciler.pass();
        int gets = store.count(FaultyObjectStore.Call.GET);
        PassReport report = reconciler.pass();
        row("a pass over 10,000 unchanged records", millis(report.took().toNanos()), "(stretch 1000 ms)");
        row("its GETs", Integer.toString(store.count(FaultyObjectStore.Call.GET) - gets), "0");
    }

    private void row(String what, String measured, String bar) {
        rows.add(new String[] {what, measured, bar});
    }

    private void print() {
        System.out.printf("%n%-42s %12s   %s%n", "runs, directory store, plain processes", "measured", "bar");
        rows.forEach(row -> System.out.printf("%-42s %12s   %s%n", (Object[]) row));
    }

    private static String millis(long nanos) {
        return String.format("%.1f ms", nanos / 1e6);
    }

    private static String seconds(long nanos) {
        return String.format("%.1f s", nanos / 1e9);
    }
}

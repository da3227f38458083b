package io.carlos.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.FollowListener;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One queued run in a store of its own, for agents that die at it. */
final class CrashTrial implements AutoCloseable {
    private static final Duration BOUND = Duration.ofMinutes(2);

    private final SystemScheduler scheduler = new SystemScheduler();
    private final Path root;
    private final Path log;
    private final DirectoryObjectStore store;
    private final RecordStore records;
    private final RunRequest request;

    /** @param work an empty directory */
    CrashTrial(Path work, List<String> argv) throws Exception {
        SecureRandom random = new SecureRandom();
        this.root = work.resolve("store");
        this.log = work.resolve("log");
        this.store = DirectoryObjectStore.open(root);
        this.records = new RecordStore(store, scheduler, random);
        RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of("a.example.com"));
        new LocalRecords(store, records).ensure(ref, null, scheduler.now());
        RunOrder order = new RunOrder(ref, argv, Duration.ofMinutes(10), "test", List.of());
        this.request = ((SubmitOutcome.Queued)
                        new RunSubmitter(store, records, scheduler, random).submit(order, file -> {}))
                .request();
    }

    /** What a reader got of a run that has ended. */
    record Ended(RunResult result, long lastSeq, String out, String err) {}

    AgentProcess start(int point) throws IOException {
        return AgentProcess.start(root, point, log);
    }

    /** @return whether an agent that is to die at the point got there; else it ended the run */
    boolean agentDiesAt(int point) throws Exception {
        try (AgentProcess agent = start(point)) {
            await("the agent's death or the run's end", () -> !agent.process().isAlive() || isDone());
            return agent.process().waitFor(1, TimeUnit.SECONDS); // the last points come after the record's
        }
    }

    /** Has an agent that does not die end the run, and reads all of it. */
    Ended end() throws Exception {
        try (AgentProcess _ = start(0)) {
            Followed followed = new Followed();
            FollowEnd end = new RunFollower(store, records, scheduler, Duration.ofMillis(50))
                    .follow(request.recordRef(), request.id(), 1, followed);
            await("the record's end", this::isDone);
            assertThat(end).as(log()).isInstanceOf(FollowEnd.Ended.class);
            RunResult result = ((FollowEnd.Ended) end).result();
            return new Ended(result, followed.seq, followed.out.toString(), followed.err.toString());
        }
    }

    /** The seq of the last chunk that is stored now. */
    long lastStored() {
        return new RunCloser(store, records, scheduler).lastSeq(request.keys());
    }

    /** What the agents printed. */
    String log() throws IOException {
        return Files.exists(log) ? Files.readString(log) : "";
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                throw new AssertionError(what + " did not come within " + BOUND);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private boolean isDone() {
        return records.read(request.recordRef())
                .map(StoredRecord::record)
                .flatMap(InstanceRecord::run)
                .filter(run -> !run.isOpen())
                .isPresent();
    }

    @Override
    public void close() {
        store.close();
    }

    private static final class Followed implements FollowListener {
        private final StringBuilder out = new StringBuilder();
        private final StringBuilder err = new StringBuilder();
        private long seq;

        @Override
        public void chunk(long next, OutputChannel channel, byte[] bytes) {
            assertThat(next).isEqualTo(seq + 1);
            seq = next;
            (channel == OutputChannel.STDOUT ? out : err).append(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}

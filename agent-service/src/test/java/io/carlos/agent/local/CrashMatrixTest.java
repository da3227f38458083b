package io.carlos.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.OutputChannel;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real agent process over the directory store, killed with SIGKILL at every point around its calls to store and
 * launcher, one after the other, and started again; after each, the promises hold.
 */
class CrashMatrixTest {
    private static final Duration BOUND = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    @Test
    void whatever_the_point_of_the_crash_the_command_runs_at_most_once_and_the_run_ends_with_its_output()
            throws Exception {
        int point = 0;
        boolean crashed = true;
        int executed = 0;
        while (crashed) {
            point++;
            Path work = Files.createDirectory(directory.resolve("point-" + point));
            crashed = crashAt(work, point);
            executed += launches(work);
        }
        System.out.println("crash matrix: " + (point - 1) + " points, " + executed + " launches");
        assertThat(point).as("points that were reached").isGreaterThan(20);
    }

    /** @return whether the agent got to the point, and so died there */
    private boolean crashAt(Path work, int point) throws Exception {
        SystemScheduler scheduler = new SystemScheduler();
        SecureRandom random = new SecureRandom();
        Path root = work.resolve("store");
        Path log = work.resolve("log");
        try (DirectoryObjectStore store = DirectoryObjectStore.open(root)) {
            RecordStore records = new RecordStore(store, scheduler, random);
            RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of("a.example.com"));
            new LocalRecords(store, records).ensure(ref, null, scheduler.now());
            List<String> argv = List.of(
                    "sh",
                    "-c",
                    "echo launched >> " + work.resolve("launches") + "; echo out; echo err >&2; echo more; exit 7");
            RunOrder order = new RunOrder(ref, argv, Duration.ofMinutes(1), "test", List.of());
            RunRequest request = ((SubmitOutcome.Queued)
                            new RunSubmitter(store, records, scheduler, random).submit(order, file -> {}))
                    .request();
            Followed followed = new Followed();
            boolean crashed;
            FollowEnd end;
            try (AgentProcess first = AgentProcess.start(root, point, log)) {
                crashed = awaitDeathOrResult(first, store, request);
            }
            try (AgentProcess _ = AgentProcess.start(root, 0, log)) {
                end = new RunFollower(store, records, scheduler, Duration.ofMillis(50))
                        .follow(ref, request.id(), 1, followed);
                awaitDone(records, ref);
            }
            String where = "point " + point + ": " + Files.readString(log);
            check(where, end, followed, launches(work));
            return crashed;
        }
    }

    private static boolean awaitDeathOrResult(AgentProcess agent, DirectoryObjectStore store, RunRequest request)
            throws InterruptedException {
        long until = System.nanoTime() + BOUND.toNanos();
        while (System.nanoTime() < until) {
            if (agent.process().waitFor(10, TimeUnit.MILLISECONDS)) {
                return true;
            }
            boolean done = store.get(request.recordRef().key())
                    .map(object -> new String(object.value(), StandardCharsets.UTF_8).contains("\"done\""))
                    .orElse(false);
            if (done && agent.process().waitFor(1, TimeUnit.SECONDS)) {
                return true; // the last points come after the record's
            }
            if (done) {
                return false;
            }
        }
        throw new AssertionError("the agent neither died nor ended the run within " + BOUND);
    }

    private static void awaitDone(RecordStore records, RecordRef ref) throws InterruptedException {
        long until = System.nanoTime() + BOUND.toNanos();
        while (System.nanoTime() < until) {
            ActiveRun run = records.read(ref)
                    .map(StoredRecord::record)
                    .flatMap(InstanceRecord::run)
                    .orElseThrow();
            if (!run.isOpen()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        throw new AssertionError("the record did not say done within " + BOUND);
    }

    private static void check(String where, FollowEnd end, Followed followed, int launches) {
        assertThat(launches).as(where).isLessThanOrEqualTo(1);
        assertThat(end).as(where).isInstanceOf(FollowEnd.Ended.class);
        RunResult result = ((FollowEnd.Ended) end).result();
        assertThat(followed.seq).as(where).isEqualTo(result.lastSeq());
        if (result.interrupted().isEmpty()) {
            assertThat(launches).as(where).isEqualTo(1);
            assertThat(result.exit()).as(where).isEqualTo(7);
            assertThat(followed.out.toString()).as(where).isEqualTo("out\nmore\n");
            assertThat(followed.err.toString()).as(where).isEqualTo("err\n");
        } else {
            assertThat("out\nmore\n").as(where).startsWith(followed.out.toString());
            assertThat("err\n").as(where).startsWith(followed.err.toString());
        }
    }

    private static int launches(Path work) throws IOException {
        Path file = work.resolve("launches");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private static final class Followed implements io.carlos.model.runs.FollowListener {
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

package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.OutputSink;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.Precondition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RunsWorkerRaceTest {
    private static final RunId RUN = RunId.of("run_" + "a".repeat(26));
    private static final BoxIdentity BOX = new BoxIdentity("box", "boot", "r1", List.of());
    private static final Instant DEADLINE = Instant.parse("2026-01-02T04:00:00Z");

    private final FaultyObjectStore store = new FaultyObjectStore(new InMemoryObjectStore());
    private final SteppedClock scheduler = new SteppedClock();
    private final WritingCommand command = new WritingCommand();
    private final RecordStore records = new RecordStore(store, scheduler, new Random(1));
    private final RunsWorker worker = worker();

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void expiryThatEndsWhileTheRunExecutesLeavesItAmongTheExecuting() throws Exception {
        InstanceRecord queued = storeQueuedRun();
        CountDownLatch expiryReads = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        store.beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {
            expiryReads.countDown();
            await(goOn);
        });
        see(queued, DEADLINE.plusSeconds(1));
        Scheduler.Task expiry = scheduler.forked.getLast();
        await(expiryReads); // else the execution could be the one that is held up

        see(queued, DEADLINE.minusSeconds(10));
        await(command.launched);
        goOn.countDown();
        expiry.join();

        assertThat(worker.executing()).containsExactly(RUN);
        worker.stop(Duration.ofSeconds(20));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void stopWhileTheStoreIsAwayReturnsWhenTheCommandThatIsGivenUpIsKilled() throws Exception {
        see(storeQueuedRun(), DEADLINE.minusSeconds(10));
        await(command.launched);
        store.failAtRandom(1, 1, Fault.UNAVAILABLE);
        command.fill.countDown();

        boolean inTime = worker.stop(Duration.ofMillis(300));

        assertThat(inTime).isFalse();
        assertThat(command.killed.getCount()).isZero();
    }

    private void see(InstanceRecord record, Instant now) {
        scheduler.now = now;
        worker.runSeen(record);
        worker.act();
    }

    private InstanceRecord storeQueuedRun() {
        InstanceRecord fresh = Records.of("bill.example.com").withBox(BOX.name());
        RunRequest request = new RunRequest(
                RunRequest.SCHEMA,
                RUN,
                fresh.account(),
                fresh.app(),
                fresh.host(),
                fresh.incarnation(),
                List.of("cat"),
                60,
                DEADLINE,
                "ann",
                List.of());
        store.put(request.keys().request(), CarlosJson.write(request), Precondition.CREATE_ONLY);
        return records.create(fresh.withActiveRun(ActiveRun.queued(RUN, "ann", DEADLINE)))
                .orElseThrow()
                .record();
    }

    private RunsWorker worker() {
        return new RunsWorker(new RunsContext(
                BOX,
                store,
                records,
                new RunCloser(store, records, scheduler),
                Map.of(Isolation.PROCESS, (request, output) -> command.launch(output)),
                new NoDirectories(),
                scheduler,
                new Random(2),
                RunsSettings.DEFAULTS));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A command that writes more than may wait when it is told to, and whose kill waits for its output as a real one's. */
    private static final class WritingCommand implements LaunchedRun {
        private final CountDownLatch launched = new CountDownLatch(1);
        private final CountDownLatch fill = new CountDownLatch(1);
        private final CountDownLatch drained = new CountDownLatch(1);
        private final CountDownLatch killed = new CountDownLatch(1);

        LaunchOutcome launch(OutputSink output) {
            Thread.ofVirtual().start(() -> {
                try {
                    fill.await();
                    byte[] much = new byte[4 * ChunkAssembler.MAX_PENDING_BYTES];
                    output.write(OutputChannel.STDOUT, much, 0, much.length);
                } catch (InterruptedException e) {
                    // The run is being given up.
                } finally {
                    drained.countDown();
                }
            });
            launched.countDown();
            return new LaunchOutcome.Started(this);
        }

        @Override
        public Optional<CommandEnd> awaitEnd(Duration wait) throws InterruptedException {
            killed.await(wait.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        }

        @Override
        public CommandEnd stop(Duration grace) throws InterruptedException {
            fill.countDown();
            drained.await();
            killed.countDown();
            return new CommandEnd.Killed(9, "");
        }
    }

    private static final class NoDirectories implements RunDirectories {
        @Override
        public Path instanceData(Host host) {
            return Path.of("data");
        }

        @Override
        public Path stage(RunRequest request) {
            return Path.of("data", "run");
        }

        @Override
        public void remove(Host host, RunId id) {}

        @Override
        public void sweep() {}
    }

    /** The machine's threads, and a wall clock that is set by hand. */
    private static final class SteppedClock implements Scheduler {
        private final Scheduler machine = new SystemScheduler();
        private final Deque<Task> forked = new ConcurrentLinkedDeque<>();
        private volatile Instant now = DEADLINE;

        @Override
        public Instant now() {
            return now;
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            machine.sleep(duration);
        }

        @Override
        public Task fork(String name, Runnable body) {
            Task task = machine.fork(name, body);
            forked.addLast(task);
            return task;
        }

        @Override
        public Lock newLock() {
            return machine.newLock();
        }
    }
}

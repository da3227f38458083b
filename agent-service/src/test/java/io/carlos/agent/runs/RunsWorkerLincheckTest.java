package io.carlos.agent.runs;

import io.carlos.agent.BoxIdentity;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.time.Scheduler;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoredObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.Test;

/** The worker's books, under the interleavings of passes, executions, expiries and a stop that a model checker tries. */
class RunsWorkerLincheckTest {
    private static final int SCHEDULES = 1500;
    private static final RunId RUN = RunId.of("run_" + "a".repeat(26));
    private static final Instant DEADLINE = Instant.parse("2026-01-02T04:00:00Z");
    private static final InstanceRecord QUEUED =
            Records.of("bill.example.com").withBox("box").withActiveRun(ActiveRun.queued(RUN, "ann", DEADLINE));

    @Test
    void twoPassesThatSeeOneRunExecuteItOneAtATime() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            World world = new World();
            Thread other = start(world::see);
            world.see();
            join(other);
            world.joinTasks();
            world.check();
        });
    }

    @Test
    void nothingBeginsOnceAStopHasSeenTheEndOfEverything() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            World world = new World();
            Thread pass = start(world::see);
            world.stop();
            join(pass);
            world.joinTasks();
            world.check();
        });
    }

    @Test
    void anExpiryThatEndsLeavesTheExecutionAmongTheExecuting() {
        Lincheck.runConcurrentTest(SCHEDULES, () -> {
            World world = new World();
            world.now = DEADLINE.plusSeconds(1);
            world.see();
            world.now = DEADLINE.minusSeconds(1);
            world.see();
            world.joinTasks();
            world.check();
        });
    }

    private static Thread start(Runnable body) {
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * A worker whose store is empty: an execution reads the absent request, then the absent record, and ends; an expiry
     * reads the absent record only. What an execution does between the two reads is what may not overlap.
     */
    private static final class World implements Scheduler, ObjectStore, RunDirectories {
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicLong time = new AtomicLong();
        private final List<Thread> tasks = new ArrayList<>();
        private final RunsWorker worker;
        private volatile Instant now = DEADLINE.minusSeconds(1);
        private volatile boolean stopped;
        private volatile String broken = "";

        World() {
            RecordStore records = new RecordStore(this, this, new Random(1));
            worker = new RunsWorker(new RunsContext(
                    new BoxIdentity("box", "boot", "r1", List.of()),
                    this,
                    records,
                    new RunCloser(this, records, this),
                    Map.of(),
                    this,
                    this,
                    new Random(2),
                    RunsSettings.DEFAULTS));
        }

        void see() {
            worker.runSeen(QUEUED);
            worker.act();
        }

        void stop() {
            try {
                stopped = worker.stop(Duration.ofDays(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void joinTasks() {
            List<Thread> forked;
            synchronized (tasks) {
                forked = List.copyOf(tasks);
            }
            forked.forEach(RunsWorkerLincheckTest::join);
        }

        void check() {
            if (!broken.isEmpty()) {
                throw new AssertionError(broken);
            }
            if (!worker.executing().isEmpty()) {
                throw new AssertionError("ended, but among the executing: " + worker.executing());
            }
        }

        @Override
        public Optional<StoredObject> get(ObjectKey key) {
            if (!Thread.currentThread().getName().startsWith("run ")) {
                return Optional.empty();
            }
            if (!worker.executing().contains(RUN)) {
                broken = "an execution goes on that is not among the executing";
            }
            if (key.equals(QUEUED.ref().key())) {
                inside.decrementAndGet();
            } else {
                if (stopped) {
                    broken = "an execution began after the stop";
                }
                if (inside.incrementAndGet() > 1) {
                    broken = "two executions of one run at a time";
                }
            }
            return Optional.empty();
        }

        @Override
        public Task fork(String name, Runnable body) {
            Thread thread = new Thread(body, name);
            synchronized (tasks) {
                tasks.add(thread);
            }
            thread.start();
            return new ThreadTask(thread);
        }

        @Override
        public Instant now() {
            return now;
        }

        @Override
        public long nanoTime() {
            return time.incrementAndGet();
        }

        @Override
        public Lock newLock() {
            return new ReentrantLock();
        }

        @Override
        public void sleep(Duration duration) {
            throw new UnsupportedOperationException("nothing fails, so nothing is repeated");
        }

        @Override
        public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String put(ObjectKey key, byte[] value, Precondition precondition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void delete(ObjectKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<ListedObject> list(String prefix, String startAfter, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Path instanceData(Host host) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Path stage(RunRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(Host host, RunId id) {}

        @Override
        public void sweep() {}
    }

    private record ThreadTask(Thread thread) implements Scheduler.Task {
        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public void join() throws InterruptedException {
            thread.join();
        }
    }
}

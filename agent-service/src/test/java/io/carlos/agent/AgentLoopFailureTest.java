package io.carlos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.reconcile.ClaimPolicy;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.runs.RunsContext;
import io.carlos.agent.runs.RunsSettings;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.InMemoryObjectStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AgentLoopFailureTest {
    private static final AgentSettings SETTINGS =
            new AgentSettings(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(1), RunsSettings.DEFAULTS);

    private final SystemScheduler scheduler = new SystemScheduler();
    private final FaultyObjectStore store = new FaultyObjectStore(new InMemoryObjectStore());
    private final CountDownLatch passed = new CountDownLatch(1);

    @Test
    void sweepThatFailsByADefectIsDoneAgain() throws Exception {
        CountDownLatch sweeps = new CountDownLatch(2);

        runUntil(sweeps, new SweptDirectories(() -> {
            sweeps.countDown();
            if (sweeps.getCount() > 0) {
                throw new IllegalStateException("some of it does not die");
            }
        }));
    }

    @Test
    void passThatFailsByADefectIsDoneAgain() throws Exception {
        store.beforeNext(FaultyObjectStore.Call.LIST, prefix -> true, () -> {
            throw new IllegalStateException("a defect");
        });
        store.beforeNext(FaultyObjectStore.Call.LIST, prefix -> true, passed::countDown);

        runUntil(passed, new SweptDirectories(() -> {}));
    }

    private void runUntil(CountDownLatch reached, RunDirectories directories) throws InterruptedException {
        Driven driven = driven(directories);
        var task = scheduler.fork("loop", () -> {
            try {
                driven.loop().run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(reached.await(10, TimeUnit.SECONDS)).isTrue();
        driven.pulse().stop();
        task.join();
    }

    private Driven driven(RunDirectories directories) {
        BoxIdentity box = new BoxIdentity("box", "boot", "r1", List.of());
        RecordStore records = new RecordStore(store, scheduler, new Random(1));
        RunsWorker worker = new RunsWorker(new RunsContext(
                box,
                store,
                records,
                new RunCloser(store, records, scheduler),
                Map.of(),
                directories,
                scheduler,
                new Random(2),
                RunsSettings.DEFAULTS));
        AgentPulse pulse = new AgentPulse(
                SETTINGS,
                Fleet.NONE,
                new Reconciler(
                        box,
                        ClaimPolicy.unowned(record -> false),
                        Fleet.NONE,
                        store,
                        records,
                        worker::runSeen,
                        scheduler),
                worker,
                directories,
                new ChangeMarker(store, "r1"),
                scheduler);
        return new Driven(pulse, new AgentLoop(pulse, worker));
    }

    private record Driven(AgentPulse pulse, AgentLoop loop) {}

    private record SweptDirectories(Runnable sweeping) implements RunDirectories {
        @Override
        public void sweep() {
            sweeping.run();
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
        public void remove(Host host, RunId id) {
            throw new UnsupportedOperationException();
        }
    }
}

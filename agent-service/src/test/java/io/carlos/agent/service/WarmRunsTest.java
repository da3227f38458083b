package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.microvm.StandInWorld;
import io.carlos.agent.container.microvm.WarmMicroVms;
import io.carlos.agent.container.pool.WarmMachines;
import io.carlos.agent.container.pool.WarmPool;
import io.carlos.agent.container.pool.WarmPoolListener;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import io.carlos.model.time.SystemScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WarmRunsTest {
    @TempDir
    private Path directory;

    private final SystemScheduler scheduler = new SystemScheduler();
    private StandInWorld world;
    private OneMachine machines;
    private WarmPool<ContainerId> pool;
    private WarmRuns warm;

    /** The first of those that could be booted, and no other. */
    private static final class OneMachine implements WarmMachines<ContainerId> {
        private final WarmMicroVms machines;
        private final AtomicReference<ContainerId> first = new AtomicReference<>();

        OneMachine(WarmMicroVms machines) {
            this.machines = machines;
        }

        @Override
        public ContainerId boot() throws ContainerException, InterruptedException {
            if (first.get() != null) {
                throw new ContainerException("one is enough", null);
            }
            ContainerId id = machines.boot();
            first.set(id);
            return id;
        }

        @Override
        public boolean hasRoom() {
            return machines.hasRoom();
        }

        @Override
        public boolean isRoomAwaited() {
            return machines.isRoomAwaited();
        }

        @Override
        public boolean isReady(ContainerId machine) {
            return machines.isReady(machine);
        }

        @Override
        public void discard(ContainerId machine) throws ContainerException, InterruptedException {
            machines.discard(machine);
        }
    }

    @BeforeEach
    void open() throws Exception {
        world = new StandInWorld(directory);
        machines = new OneMachine(new WarmMicroVms(world.runtime(), 1000, Map.of()));
        pool = new WarmPool<>(machines, 1, Duration.ofHours(1), scheduler, WarmPoolListener.NONE);
        warm = new WarmRuns(world.runtime(), pool, scheduler);
    }

    @AfterEach
    void close() throws Exception {
        world.runtime().close();
        world.close();
    }

    private Optional<ContainerId> take() throws IOException, InterruptedException {
        pool.look();
        Await.until("a machine that waits", () -> pool.ready() == 1);
        Path data = directory.resolve("one");
        RunId id = RunId.random(new SecureRandom());
        Path run = Files.createDirectories(data.resolve(".carlos-run").resolve(id.value()));
        InstanceRecord record = Records.of("a.example.com");
        return warm.take(
                new LaunchRequest(id, record.ref(), record.incarnation(), List.of("true"), Map.of(), data, run));
    }

    @Test
    void aMachineThatIsGivenItsDataIsTheRuns() throws Exception {
        world.lateData();

        Optional<ContainerId> taken = take();

        assertThat(taken).contains(machines.first.get());
        assertThat(world.processes(taken.get())).isNotEmpty();
        assertThat(world.runtime().isReady(taken.get()))
                .as("it is open for commands")
                .isFalse();
        assertThat(world.runtime().whyEnded(taken.get())).isEmpty();
    }

    @Test
    void aMachineThatCannotBeGivenItsDataIsRemovedAndTheRunBootsItsOwn() throws Exception {
        world.helper("virtiofsd", StandInWorld.WAITS);

        assertThat(take()).isEmpty();

        assertThat(world.processes(machines.first.get())).isEmpty();
        assertThat(world.directory(machines.first.get())).doesNotExist();
    }
}

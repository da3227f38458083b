package io.carlos.agent.service;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.agent.container.pool.WarmPool;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.container.ContainerPlaces;
import io.carlos.agent.launch.container.ReadyContainers;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Virtual machines that are kept booted for runs while the agent runs, and are given the run's data when one comes. */
final class WarmRuns implements ReadyContainers, SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(WarmRuns.class);

    /** One that is too old, or could not be booted, waits for so long. */
    private static final Duration LOOK = Duration.ofSeconds(30);

    private final MicroVmRuntime runtime;
    private final WarmPool<ContainerId> pool;
    private final Scheduler scheduler;
    private @Nullable Task looks;

    WarmRuns(MicroVmRuntime runtime, WarmPool<ContainerId> pool, Scheduler scheduler) {
        this.runtime = runtime;
        this.pool = pool;
        this.scheduler = scheduler;
    }

    @Override
    public ContainerPlaces places() {
        return ContainerPlaces.at(MicroVmRuntime.LATE_DATA);
    }

    @Override
    public Optional<ContainerId> take(LaunchRequest request) throws InterruptedException {
        Optional<ContainerId> taken = pool.take();
        if (taken.isEmpty()) {
            return taken;
        }
        boolean given = false;
        try {
            runtime.giveData(taken.get(), request.dataDirectory().toAbsolutePath());
            runtime.provision(taken.get());
            given = true;
            return taken;
        } catch (ContainerException e) {
            log.warn("warm: run {} boots a machine of its own: {}", request.id(), e.getMessage());
            return Optional.empty();
        } finally {
            if (!given) {
                remove(taken.get());
            }
        }
    }

    private void remove(ContainerId machine) throws InterruptedException {
        try {
            runtime.remove(machine);
        } catch (ContainerException e) {
            log.error("warm: {} is left until the agent starts again: {}", machine, e.getMessage(), e);
        }
    }

    @Override
    public void start() {
        looks = scheduler.fork("warm-looks", this::look);
    }

    private void look() {
        try {
            while (true) {
                pool.look();
                scheduler.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            log.debug("warm: no more looks");
        }
    }

    /** What still waits is ended by now or with the runtime. */
    @Override
    public void stop() {
        Task running = looks;
        if (running != null) {
            looks = null;
            running.interrupt();
            pool.close();
        }
    }

    @Override
    public boolean isRunning() {
        return looks != null;
    }
}

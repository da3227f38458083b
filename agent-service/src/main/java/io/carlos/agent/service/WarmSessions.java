package io.carlos.agent.service;

import io.carlos.agent.container.microvm.WarmMicroVms;
import io.carlos.agent.container.microvm.WarmMicroVms.Warm;
import io.carlos.agent.container.pool.WarmPool;
import io.carlos.agent.container.pool.WarmPoolListener;
import io.carlos.model.linux.Directory;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Virtual machines that are kept booted while the agent runs, for sessions that begin with an empty workspace. A run has
 * none of them: its machine has the instance's data, which can be given to a machine at its boot alone.
 */
public final class WarmSessions implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(WarmSessions.class);

    /** One that is too old, or could not be booted, waits for so long. */
    private static final Duration LOOK = Duration.ofSeconds(30);

    private final WarmMicroVms machines;
    private final MicroVmProperties.Warm settings;
    private final Scheduler scheduler;
    private final WarmPool<Warm> pool;
    private @Nullable Task looks;

    WarmSessions(
            WarmMicroVms machines, MicroVmProperties.Warm settings, Scheduler scheduler, WarmPoolListener listener) {
        this.machines = machines;
        this.settings = settings;
        this.scheduler = scheduler;
        this.pool = new WarmPool<>(machines, settings.size(), settings.ageLimit(), scheduler, listener);
    }

    /**
     * A machine that takes commands once it is provisioned, which is the caller's with its workspace from now on; empty
     * when none is ready.
     */
    public Optional<Warm> take() {
        return pool.take();
    }

    /** Leaves nothing of a machine that was taken, nor of its workspace. */
    public void discard(Warm machine) throws IOException, InterruptedException {
        machines.discard(machine);
    }

    int ready() {
        return pool.ready();
    }

    int booting() {
        return pool.booting();
    }

    /** The workspaces of an earlier agent's machines go first: those ended with it, or before this one serves. */
    @Override
    public void start() {
        try {
            Files.createDirectories(
                    machines.workspaces(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try (Directory workspaces = Directory.open(machines.workspaces())) {
                for (String left : workspaces.list()) {
                    workspaces.removeTree(left);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("warm machines: no place for their workspaces: " + e.getMessage(), e);
        }
        if (settings.size() > 0) {
            log.info("warm: machines are kept ready: size={} age_limit={}", settings.size(), settings.ageLimit());
        }
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
        if (running == null) {
            return;
        }
        looks = null;
        running.interrupt();
        pool.close();
    }

    @Override
    public boolean isRunning() {
        return looks != null;
    }
}

package io.carlos.guest;

import io.carlos.guest.boot.Surroundings;
import io.carlos.guest.exec.Executions;
import io.carlos.guest.rpc.GuestControlService;
import io.carlos.guest.state.GuestLifecycle;
import io.carlos.guest.transport.GuestServer;
import io.carlos.model.linux.process.OrphanAdoption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** The supervisor's life: it serves from {@link #start} on, and stops in the reverse order. */
final class Supervisor implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(Supervisor.class);

    /** How long calls have to end whose commands have ended. */
    private static final Duration CALL_BOUND = Duration.ofSeconds(2);

    private final Surroundings surroundings;
    private final Duration stopGrace;
    private final GuestLifecycle lifecycle = new GuestLifecycle();
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("guest-", 0).factory());
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("timer").factory());

    /** Held while it starts and while it stops, so that whoever asks for a second stop waits for the first. */
    private final ReentrantLock changing = new ReentrantLock();

    private @Nullable Service service;

    private record Service(Executions executions, GuestServer server) {}

    Supervisor(Surroundings surroundings, Duration stopGrace) {
        this.surroundings = surroundings;
        this.stopGrace = stopGrace;
    }

    @Override
    public void start() {
        changing.lock();
        try {
            OrphanAdoption.adopt();
            Executions executions = Executions.ofThisProcess(
                    surroundings.cgroup(), surroundings.nativeProgram(), threads, this::stopOnRequest);
            GuestControlService control = new GuestControlService(
                    surroundings.facts(), lifecycle, executions, threads, timer, this::stopOnRequest);
            // Nobody can ask before it listens, and then everything is there.
            lifecycle.booted();
            service = new Service(executions, GuestServer.start(surroundings.address(), control, threads));
            log.info("serve: {}", surroundings.address());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot serve on " + surroundings.address(), e);
        } finally {
            changing.unlock();
        }
    }

    /** The answer to whoever asked is sent meanwhile. */
    private void stopOnRequest() {
        if (lifecycle.stop()) {
            Thread.ofPlatform().name("stop").start(() -> {
                stop();
                surroundings.end().end();
            });
        }
    }

    @Override
    public void stop() {
        lifecycle.stop();
        changing.lock();
        try {
            Service stopped = service;
            service = null;
            if (stopped != null) {
                stop(stopped);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("stop: interrupted: commands may be left");
        } finally {
            changing.unlock();
        }
    }

    private void stop(Service stopped) throws InterruptedException {
        stopped.server().stopAccepting();
        int killed = stopped.executions().stop(stopGrace);
        if (killed > 0) {
            log.warn("stop: killed {} commands that did not end in {} ms", killed, stopGrace.toMillis());
        }
        stopped.server().close(CALL_BOUND);
        stopped.executions().close();
    }

    @Override
    public boolean isRunning() {
        changing.lock();
        try {
            return service != null;
        } finally {
            changing.unlock();
        }
    }
}

package io.carlos.control.boot;

import io.carlos.control.ready.Readiness;
import io.carlos.control.server.UnixSocketServer;
import io.carlos.model.linux.ServiceNotifier;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * Tells systemd when the service serves and when it stops, and that it is alive: only what the server's event loop
 * executes counts as a sign of life. Starts last and stops first.
 */
final class ServiceLife implements SmartLifecycle, ApplicationListener<ReactiveWebServerInitializedEvent> {
    private final ServiceNotifier notifier;
    private final Readiness readiness;
    private volatile Executor eventLoop = Runnable::run;
    private @Nullable Thread watchdog;

    ServiceLife(ServiceNotifier notifier, Readiness readiness) {
        this.notifier = notifier;
        this.readiness = readiness;
    }

    @Override
    public void onApplicationEvent(ReactiveWebServerInitializedEvent event) {
        if (event.getWebServer() instanceof UnixSocketServer server) {
            eventLoop = server.eventLoop();
        }
    }

    @Override
    public void start() {
        notifier.ready();
        notifier.watchdogInterval()
                .ifPresent(interval -> watchdog =
                        Thread.ofVirtual().name("watchdog").start(() -> repeatSignOfLife(interval.dividedBy(2))));
        // After READY: the probe's unit may be ordered after this service.
        readiness.start();
    }

    private void repeatSignOfLife(Duration pause) {
        try {
            while (true) {
                eventLoop.execute(notifier::alive);
                Thread.sleep(pause);
            }
        } catch (InterruptedException e) {
            // The service stops; systemd waits for its end and for no sign of life.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        notifier.stopping();
        readiness.close();
        Thread signs = watchdog;
        if (signs != null) {
            signs.interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return readiness.isRunning();
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}

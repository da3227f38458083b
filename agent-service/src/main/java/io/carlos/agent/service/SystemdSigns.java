package io.carlos.agent.service;

import io.carlos.agent.PassJournal;
import io.carlos.model.linux.ServiceNotifier;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Tells systemd that the agent serves, before the agent starts any unit: those wait for it. From then on it tells that the agent
 * lives, for as long as whoever makes the passes is at it, and when the stop begins.
 */
final class SystemdSigns implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {
    private static final Logger log = LoggerFactory.getLogger(SystemdSigns.class);

    private final ServiceNotifier notifier;
    private final PassJournal journal;
    private volatile @Nullable Thread watchdog;
    private volatile boolean running;

    SystemdSigns(ServiceNotifier notifier, PassJournal journal) {
        this.notifier = notifier;
        this.journal = journal;
    }

    @Override
    public void start() {
        running = true;
        journal.begun();
        notifier.ready();
        notifier.watchdogInterval()
                .ifPresent(interval -> watchdog =
                        Thread.ofVirtual().name("watchdog").start(() -> repeatSignOfLife(interval.dividedBy(2))));
    }

    private void repeatSignOfLife(Duration pause) {
        try {
            while (true) {
                signOfLife();
                Thread.sleep(pause);
            }
        } catch (InterruptedException e) {
            // The process ends; systemd waits for that and for no sign of life.
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing is sent when whoever makes the passes is not at it any more. */
    void signOfLife() {
        if (journal.isStuck()) {
            log.error("agent: no sign of its passes for {}; systemd will start it anew", journal.silence());
        } else {
            notifier.alive();
        }
    }

    /** Comes before anything is stopped. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        notifier.stopping();
    }

    @Override
    public void stop() {
        running = false;
        Thread signs = watchdog;
        if (signs != null) {
            signs.interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** After the admin socket, and before {@link AgentLife}. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE - 1;
    }
}

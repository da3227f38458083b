package io.carlos.agent.launch.unit;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.time.Scheduler;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops units of commands for certain. */
final class CommandUnits {
    private static final Logger log = LoggerFactory.getLogger(CommandUnits.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final ControlChannel control;
    private final Scheduler scheduler;

    CommandUnits(ControlChannel control, Scheduler scheduler) {
        this.control = control;
        this.scheduler = scheduler;
    }

    /**
     * Returns when no process of the host's command is left and the next one can be started, however long the control service
     * is away: a unit that failed stays loaded over its stop.
     */
    void stop(Host host) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                control.stop(host, Role.CMD);
                control.reset(host, Role.CMD);
                return;
            } catch (ControlException e) {
                log.warn("launch: command not stopped, trying again: host={} cause={}", host, e.getMessage());
            }
            scheduler.sleep(pause);
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        }
    }
}

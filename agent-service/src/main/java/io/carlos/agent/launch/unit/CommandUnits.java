package io.carlos.agent.launch.unit;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Host;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts units of commands and stops them for certain. A start that was never answered may be read when a restarted
 * control service comes to it, long after its unit was stopped, and would then execute whatever command's launch file is
 * there: {@link #settle} has the host's next command wait for that to be over.
 */
final class CommandUnits {
    private static final Logger log = LoggerFactory.getLogger(CommandUnits.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final ControlChannel control;
    private final Scheduler scheduler;

    /** Until when a start that was not answered may begin, in the scheduler's {@code nanoTime}. */
    private final Map<Host, Long> unanswered = new ConcurrentHashMap<>();

    CommandUnits(ControlChannel control, Scheduler scheduler) {
        this.control = control;
        this.scheduler = scheduler;
    }

    /** One start of a host at a time, and {@link #settle} before the launch file of each is written. */
    InvocationId start(Host host, MemoryTier memory) throws ControlException, InterruptedException {
        boolean answered = false;
        try {
            InvocationId invocation = control.startCmd(host, memory);
            answered = true;
            return invocation;
        } catch (ControlException e) {
            answered = e.outcome() != Outcome.MAY_RUN;
            throw e;
        } finally {
            if (!answered) {
                unanswered.put(host, scheduler.nanoTime() + ControlChannel.START_WINDOW.toNanos());
            }
        }
    }

    /**
     * Returns when no earlier start of the host's command can begin any more and nothing of it runs. The stop has to come
     * after the last moment at which one may begin: what began before, it ends.
     */
    void settle(Host host) throws InterruptedException {
        Long end = unanswered.get(host);
        if (end == null) {
            return;
        }
        // A clock that stands still while the machine sleeps ends the wait late, and never early.
        Duration left = Duration.ofNanos(end - scheduler.nanoTime());
        if (left.isPositive()) {
            log.info("launch: waiting until an earlier start cannot begin any more: host={} left={}", host, left);
            scheduler.sleep(left);
        }
        stop(host);
        unanswered.remove(host);
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

package io.carlos.agent.instance;

import io.carlos.agent.instance.OperationOutcome.NotReady;
import io.carlos.model.names.Host;
import io.carlos.model.records.Isolation;
import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Starts instances that should run and do not, each on a task of its own, and waits with them for the box to be ready. */
final class Wakes {
    private final Tasks tasks;
    private final Duration interval;
    private final Scheduler scheduler;
    private final Set<Host> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean begun;

    /** @param interval how often an instance is tried again while the box is not ready */
    Wakes(Tasks tasks, Duration interval, Scheduler scheduler) {
        this.tasks = tasks;
        this.interval = interval;
        this.scheduler = scheduler;
    }

    /** Before that nothing is woken: what an earlier agent left may run. */
    void begin() {
        begun = true;
    }

    boolean haveBegun() {
        return begun;
    }

    void wake(Lane lane) {
        if (!begun || !shouldRun(lane) || !underWay.add(lane.host())) {
            return;
        }
        boolean forked = tasks.fork("wake " + lane.host(), () -> {
            try {
                while (lane.start(false) instanceof NotReady) {
                    scheduler.sleep(interval);
                }
            } finally {
                underWay.remove(lane.host());
            }
        });
        if (!forked) {
            underWay.remove(lane.host());
        }
    }

    private static boolean shouldRun(Lane lane) {
        return lane.row()
                .find()
                .filter(row -> row.desired() == Desired.RUN && row.isolation() == Isolation.UNIT)
                .filter(row -> row.state() != InstanceState.RUNNING)
                .isPresent();
    }
}

package io.carlos.agent.fleet;

import io.carlos.model.fleet.BoxPresence;
import io.carlos.model.fleet.FleetTimes;
import io.carlos.model.fleet.FleetWatch;
import io.carlos.model.fleet.Heartbeat;
import io.carlos.model.fleet.SupersededException;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This box's part in its fleet: shows that it lives, and looks at who else does, on a task of its own, so that neither a long pass
 * nor a stuck launch makes it look lost.
 */
public final class FleetMember implements Fleet {
    private static final Logger log = LoggerFactory.getLogger(FleetMember.class);
    private final ObjectStore store;
    private final Scheduler scheduler;
    private final String region;
    private final BoxPresence presence;
    private final Runnable superseded;
    private final FleetTimes times;
    private final FleetWatch watch;
    private volatile Set<String> lost = Set.of();
    private volatile boolean stopped;
    private @Nullable Task task;

    /** @param superseded called once, when another agent has started under this box's name; must not wait for {@link #stop} */
    public FleetMember(
            ObjectStore store,
            Scheduler scheduler,
            FleetTimes times,
            String region,
            BoxPresence presence,
            Runnable superseded) {
        this.store = store;
        this.scheduler = scheduler;
        this.times = times;
        this.watch = new FleetWatch(times);
        this.region = region;
        this.presence = presence;
        this.superseded = superseded;
    }

    @Override
    public void start() {
        task = scheduler.fork("fleet", () -> {
            try {
                run();
            } catch (InterruptedException e) {
                log.debug("fleet: interrupted");
            }
        });
    }

    @Override
    public void stop() throws InterruptedException {
        stopped = true;
        if (task != null) {
            task.interrupt();
            task.join();
        }
    }

    @Override
    public boolean isFresh() {
        return presence.isFresh();
    }

    @Override
    public boolean isSuperseded() {
        return presence.isSuperseded();
    }

    @Override
    public boolean isLost(String box) {
        return lost.contains(box);
    }

    private void run() throws InterruptedException {
        while (!stopped) {
            scheduler.sleep(beatAndLook() ? times.interval() : times.interval().dividedBy(10));
            if (presence.isSuperseded()) {
                superseded.run();
                return;
            }
        }
    }

    /** @return whether both held */
    private boolean beatAndLook() {
        try {
            presence.beat();
            look();
            return true;
        } catch (SupersededException e) {
            log.error("fleet: {}", e.getMessage());
            return true;
        } catch (StoreException | InvalidDocumentException e) {
            log.warn("fleet: no sign of life, trying again: fresh={} cause={}", presence.isFresh(), e.getMessage());
            return false;
        }
    }

    private void look() {
        long nanos = scheduler.nanoTime();
        Map<String, String> etags = new HashMap<>();
        String after = "";
        List<ListedObject> page;
        do {
            page = store.list(Heartbeat.prefix(region), after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject listed : page) {
                after = listed.key().value();
                etags.put(Heartbeat.box(listed.key()), listed.etag());
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
        watch.look(etags, nanos);
        Set<String> now = etags.keySet().stream().filter(watch::isLost).collect(Collectors.toUnmodifiableSet());
        now.stream()
                .filter(box -> !lost.contains(box))
                .forEach(box -> log.warn("fleet: box lost: box={} region={}", box, region));
        lost.stream()
                .filter(box -> !now.contains(box))
                .forEach(box -> log.info("fleet: box back: box={} region={}", box, region));
        lost = now;
    }
}

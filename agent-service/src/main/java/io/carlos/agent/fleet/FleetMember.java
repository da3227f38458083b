package io.carlos.agent.fleet;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.VitalTask;
import io.carlos.model.fleet.BoxPresence;
import io.carlos.model.fleet.Fence;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final String box;
    private final BoxPresence presence;
    private final FleetListener listener;
    private final boolean fencing;
    private final FleetTimes times;
    private final FleetWatch watch;
    /** The boxes that are lost, with the etags of their last heartbeats, fenced or not. */
    private volatile Map<String, String> lost = Map.of();

    private volatile boolean stopped;
    private @Nullable Task task;

    /** @param takeOver whether boxes that have fallen silent are fenced, so that others may take what they own */
    public FleetMember(
            ObjectStore store,
            Scheduler scheduler,
            FleetTimes times,
            BoxIdentity box,
            BoxPresence presence,
            TakeOver takeOver,
            FleetListener listener) {
        this.store = store;
        this.scheduler = scheduler;
        this.times = times;
        this.watch = new FleetWatch(times);
        this.region = box.region();
        this.box = box.name();
        this.presence = presence;
        this.fencing = takeOver == TakeOver.AUTOMATIC;
        this.listener = listener;
    }

    @Override
    public void start() {
        task = VitalTask.fork(scheduler, "fleet", this::run);
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
    public boolean mayWrite() {
        return presence.isFresh();
    }

    @Override
    public boolean isRevoked() {
        return presence.superseded().isPresent();
    }

    @Override
    public boolean isLost(String other) {
        return lost.containsKey(other);
    }

    @Override
    public boolean isStillLost(String other) {
        String etag = lost.get(other);
        return etag != null
                && store.get(Heartbeat.key(region, other))
                        .filter(object -> object.etag().equals(etag))
                        .isPresent();
    }

    @Override
    public boolean holdsName() {
        return presence.isStored();
    }

    @Override
    public Duration heldBack() {
        return presence.heldBack();
    }

    /** What {@link #start} gives a task of its own; returns when the box is stopped or superseded. */
    public void run() throws InterruptedException {
        while (!stopped) {
            boolean held = beatAndLook();
            if (presence.superseded().isPresent()) {
                listener.superseded(presence.superseded().get());
                return;
            }
            if (!stopped) {
                scheduler.sleep(held ? times.interval() : times.interval().dividedBy(10));
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
        } catch (RuntimeException e) {
            // Whatever it was, a box that stopped trying would go stale, look alive and do nothing.
            log.error("fleet: no sign of life by a defect, trying again: fresh={}", presence.isFresh(), e);
            return false;
        }
    }

    /** Looks at every box, whatever comes of one; throws what the store answered about the last that could not be read. */
    private void look() {
        long before = scheduler.nanoTime();
        Map<String, String> etags = list();
        watch.look(etags, before, scheduler.nanoTime());
        lost = stillLost(etags);
        StoreException failure = null;
        for (Map.Entry<String, String> heartbeat : etags.entrySet()) {
            String other = heartbeat.getKey();
            if (other.equals(box) || lost.containsKey(other) || !watch.isLost(other)) {
                continue;
            }
            try {
                lose(other, heartbeat.getValue());
            } catch (InvalidDocumentException e) {
                log.warn("fleet: heartbeat left out: box={} cause={}", other, e.getMessage());
            } catch (StoreException e) {
                log.warn("fleet: heartbeat not read: box={} cause={}", other, e.getMessage());
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The etag of each box's heartbeat. */
    private Map<String, String> list() {
        Map<String, String> etags = new HashMap<>();
        String after = "";
        List<ListedObject> page;
        do {
            page = store.list(Heartbeat.prefix(region), after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject listed : page) {
                after = listed.key().value();
                Heartbeat.box(region, listed.key()).ifPresent(other -> etags.put(other, listed.etag()));
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
        return etags;
    }

    /** A box whose heartbeat is another by now has begun anew or wakes, or somebody has fenced it: it is watched from there. */
    private Map<String, String> stillLost(Map<String, String> etags) {
        Map<String, String> still = new HashMap<>(lost);
        still.entrySet().removeIf(entry -> !entry.getValue().equals(etags.get(entry.getKey())));
        lost.keySet().stream()
                .filter(other -> !still.containsKey(other))
                .forEach(other -> log.info(
                        "fleet: heartbeat of a lost box has {}: box={} region={}",
                        etags.containsKey(other) ? "changed" : "gone",
                        other,
                        region));
        return Map.copyOf(still);
    }

    private void lose(String other, String etag) {
        Optional<Heartbeat> last = Heartbeat.read(store, region, other)
                .filter(found -> found.etag().equals(etag))
                .map(Heartbeat.Stored::heartbeat);
        // The box acts by its own time, which may be longer than this one's.
        if (last.isEmpty()
                || watch.silence(other).compareTo(Duration.ofSeconds(last.get().lostAfterS())) < 0) {
            return;
        }
        Optional<String> fenced = fencing ? Fence.close(store, region, other, etag, box) : Optional.of(etag);
        if (fenced.isEmpty()) {
            return; // it was faster
        }
        log.warn("fleet: box lost: box={} region={} fenced={}", other, region, fencing);
        Map<String, String> more = new HashMap<>(lost);
        more.put(other, fenced.get());
        lost = Map.copyOf(more);
        listener.lost(other);
    }
}

package io.carlos.agent.container.microvm;

import io.carlos.agent.container.ContainerId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Room for so many machines at a time, since their memory is the box's. Whoever comes first gets in first. */
final class MachineRoom {
    private static final Logger log = LoggerFactory.getLogger(MachineRoom.class);

    private final int most;
    private final Semaphore places;
    private final Set<ContainerId> inside = ConcurrentHashMap.newKeySet();

    MachineRoom(int most) {
        this.most = most;
        this.places = new Semaphore(most, true);
    }

    /** Waits for a place, which {@link #leave} gives back; a machine has one only. */
    void enter(ContainerId id) throws InterruptedException {
        if (!places.tryAcquire()) {
            log.warn("microvm: session {} waits: {} machines are on, and the box has room for no more", id, most);
            places.acquire();
        }
        if (!inside.add(id)) {
            places.release();
        }
    }

    /** Does nothing when the machine has no place. */
    void leave(ContainerId id) {
        if (inside.remove(id)) {
            places.release();
        }
    }
}

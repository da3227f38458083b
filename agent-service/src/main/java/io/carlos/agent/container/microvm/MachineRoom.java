package io.carlos.agent.container.microvm;

import io.carlos.agent.container.ContainerId;
import io.carlos.model.time.SystemScheduler;
import io.carlos.model.time.WaitingRoom;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Room for so many machines at a time, since their memory is the box's. Whoever comes first gets in first. */
final class MachineRoom {
    private static final Logger log = LoggerFactory.getLogger(MachineRoom.class);

    private static final Duration LOOK = Duration.ofMillis(200);

    private final int most;
    private final WaitingRoom places;
    private final Set<ContainerId> inside = ConcurrentHashMap.newKeySet();

    MachineRoom(int most) {
        this.most = most;
        this.places = new WaitingRoom(most, LOOK, new SystemScheduler());
    }

    /**
     * Waits for a place, which {@link #leave} gives back; a machine has one only.
     *
     * @param isGivenUp asked now and then while there is none
     * @return false when it was given up before there was one
     */
    boolean enter(ContainerId id, BooleanSupplier isGivenUp) throws InterruptedException {
        if (inside.size() >= most) {
            log.warn("microvm: session {} waits: {} machines are on, and the box has room for no more", id, most);
        }
        if (!places.enter(isGivenUp)) {
            return false;
        }
        if (!inside.add(id)) {
            places.leave();
        }
        return true;
    }

    /** Gives a place that is free and that nobody waits for. */
    boolean tryEnter(ContainerId id) {
        if (!places.tryEnter()) {
            return false;
        }
        if (!inside.add(id)) {
            places.leave();
        }
        return true;
    }

    /** Whether {@link #tryEnter} would give a place now. */
    boolean hasRoom() {
        return inside.size() < most && !places.isAwaited();
    }

    boolean isAwaited() {
        return places.isAwaited();
    }

    /** How many machines have a place. */
    int taken() {
        return inside.size();
    }

    /** Does nothing when the machine has no place. */
    void leave(ContainerId id) {
        if (inside.remove(id)) {
            places.leave();
        }
    }
}

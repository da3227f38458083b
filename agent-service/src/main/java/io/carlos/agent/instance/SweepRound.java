package io.carlos.agent.instance;

import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One sweep and whom it holds back: every lane until the sweep is over, and each for as long as it is being stood down. Guarded by the
 * lock of {@link Sweeps}.
 */
final class SweepRound {
    private final String reason;
    private final StandDown standDown;
    private final Consumer<Lane> wake;
    private final boolean wakesAll;

    /** The lanes, and whether each is to be woken afterwards. */
    private final Map<Lane, Boolean> held = new HashMap<>();

    /** The lanes that are being stood down, and of what it was learned meanwhile that it did not stop. */
    private final Map<Lane, Set<Role>> standingDown = new HashMap<>();

    /** What was left of hosts that nobody has met. */
    private RemainingUnits strangers = RemainingUnits.none();

    private boolean over;

    /** Returns when nothing of the lane runs. */
    @FunctionalInterface
    interface StandDown {
        /** @param left of the lane's units, did not stop with everything else */
        void run(Lane lane, Set<Role> left) throws IOException, InterruptedException;
    }

    /** @param wakesAll whether also instances are woken that were on the box when the sweep began */
    SweepRound(String reason, StandDown standDown, Consumer<Lane> wake, boolean wakesAll) {
        this.reason = reason;
        this.standDown = standDown;
        this.wake = wake;
        this.wakesAll = wakesAll;
    }

    void hold(Lane lane) {
        boolean isHere = lane.row().find().isPresent();
        if (held.putIfAbsent(lane, wakesAll || !isHere) == null) {
            lane.turn().commands().stopping(reason);
        }
    }

    /** @return what did not stop of a lane that nobody had met when the sweep was answered; it is held then */
    Set<Role> meet(Lane lane) {
        if (!over) {
            hold(lane);
            return Set.of();
        }
        Set<Role> left = strangers.take(lane.host());
        if (!left.isEmpty()) {
            hold(lane);
        }
        return left;
    }

    Set<Lane> held() {
        return Set.copyOf(held.keySet());
    }

    /** @return false when it is being stood down already; whoever does that does this as well */
    boolean beginStandDown(Lane lane, Set<Role> left) {
        Set<Role> more = standingDown.get(lane);
        if (more != null) {
            more.addAll(left);
            return false;
        }
        standingDown.put(lane, EnumSet.noneOf(Role.class));
        return true;
    }

    /** @return what is left to be stopped of it; none when it is not being stood down any more */
    Set<Role> endStandDown(Lane lane) {
        Set<Role> more = standingDown.getOrDefault(lane, Set.of());
        if (more.isEmpty()) {
            standingDown.remove(lane);
        } else {
            standingDown.put(lane, EnumSet.noneOf(Role.class));
        }
        return more;
    }

    void standDown(Lane lane, Set<Role> left) throws IOException, InterruptedException {
        standDown.run(lane, left);
    }

    boolean isStandingDown(Lane lane) {
        return standingDown.containsKey(lane);
    }

    boolean isOver() {
        return over;
    }

    /** @param left what did not stop; of the lanes that are held, whoever calls sees to it */
    void end(RemainingUnits left) {
        over = true;
        strangers = left.copy();
        held.keySet().forEach(lane -> strangers.take(lane.host()));
    }

    void forgetStrangers() {
        strangers.forgetAll();
    }

    /** @return of the lanes that it held until now those to be woken */
    List<Lane> release() {
        List<Lane> woken = new ArrayList<>();
        if (over) {
            for (Lane lane : held()) {
                if (!standingDown.containsKey(lane)) {
                    lane.turn().commands().stopped();
                    if (Boolean.TRUE.equals(held.remove(lane))) {
                        woken.add(lane);
                    }
                }
            }
        }
        return woken;
    }

    /** Whether it has nobody left to hold. */
    boolean isDone() {
        return over && held.isEmpty() && strangers.isEmpty();
    }

    void wake(Lane lane) {
        wake.accept(lane);
    }

    List<Host> hosts() {
        return held.keySet().stream().map(Lane::host).toList();
    }
}

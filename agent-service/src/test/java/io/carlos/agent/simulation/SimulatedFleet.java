package io.carlos.agent.simulation;

import io.carlos.agent.AgentPulse;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.fleet.FleetListener;
import io.carlos.agent.fleet.FleetMember;
import io.carlos.agent.fleet.TakeOver;
import io.carlos.model.fleet.BoxPresence;
import io.carlos.model.fleet.FleetTimes;
import io.carlos.model.fleet.SupersededException;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoreException;
import java.time.Duration;

/** A box's part in its fleet, from the moment its agent has taken the box's name; before that it may not act. */
final class SimulatedFleet implements Fleet {
    /** Short, so that a box is lost while its runs are not over yet. */
    private static final FleetTimes TIMES = new FleetTimes(Duration.ofSeconds(30));

    private final World world;
    private final SimulatedProcess process;
    private final ObjectStore store;
    private final BoxIdentity box;
    private final Remains remains;
    private FleetMember member;

    SimulatedFleet(World world, SimulatedProcess process, ObjectStore store, BoxIdentity box, Remains remains) {
        this.world = world;
        this.process = process;
        this.store = store;
        this.box = box;
        this.remains = remains;
    }

    /**
     * Takes the box's name; from a fiber of its process.
     *
     * @param end what the agent does when it may never act again
     */
    void join(AgentPulse pulse, Runnable end) throws InterruptedException {
        while (member == null) {
            try {
                BoxPresence presence = BoxPresence.begin(
                        store, process, TIMES, box.region(), box.name(), box.bootId(), remains.lastStart());
                remains.noteStart(box.bootId());
                world.visitor().visit(box.name());
                TakeOver fencing =
                        world.variant() == Variant.TAKE_OVER_UNFENCED ? TakeOver.OPERATOR : TakeOver.AUTOMATIC;
                member = new FleetMember(store, process, TIMES, box, presence, fencing, new FleetListener() {
                    @Override
                    public void lost(String other) {
                        world.trace(box.bootId() + ": lost: " + other);
                        pulse.wake();
                    }

                    @Override
                    public void superseded(SupersededException.Reason reason) {
                        world.trace(box.bootId() + ": ends: " + reason);
                        end.run();
                    }
                });
            } catch (StoreException e) {
                process.sleep(Duration.ofSeconds(1));
            }
        }
        process.fork("fleet", () -> {
            try {
                member.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Override
    public boolean mayWrite() {
        return member != null && (world.variant() == Variant.STALE_BOX_WRITES || member.mayWrite());
    }

    @Override
    public boolean isRevoked() {
        return member != null && world.variant() != Variant.STALE_BOX_WRITES && member.isRevoked();
    }

    @Override
    public boolean isLost(String other) {
        return member != null && member.isLost(other);
    }

    @Override
    public boolean isStillLost(String other) {
        Variant unasked =
                world.fiber().contains(": close out") ? Variant.OTHER_START_CLOSED : Variant.CLAIM_WITHOUT_ASKING;
        return member != null && (world.variant() == unasked ? member.isLost(other) : member.isStillLost(other));
    }

    @Override
    public boolean holdsName() {
        return member != null && member.holdsName();
    }

    @Override
    public Duration heldBack() {
        return member == null ? Duration.ZERO : member.heldBack();
    }
}

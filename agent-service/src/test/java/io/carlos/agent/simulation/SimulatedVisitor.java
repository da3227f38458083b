package io.carlos.agent.simulation;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Somebody who gives an instance to a box that has just begun anew, asks for a run there, and gives the instance to another box as
 * soon as the run is picked: the other may not have noticed yet that the first has begun anew.
 */
final class SimulatedVisitor {
    private static final int LOOKS = 40;

    private final World world;
    private final List<RecordRef> refs;
    private final List<SimulatedBox> boxes;
    private final RecordStore records;
    private int visits;

    SimulatedVisitor(World world, List<RecordRef> refs, List<SimulatedBox> boxes) {
        this.world = world;
        this.refs = refs;
        this.boxes = boxes;
        this.records = new RecordStore(world.stored(), world.network(), world.random());
    }

    /** Comes to some boxes only, and not in the calm. */
    void visit(String box) {
        Random random = world.random();
        if (world.isCalm() || random.nextBoolean()) {
            return;
        }
        String name = "visitor-" + ++visits;
        RecordRef ref = refs.get(random.nextInt(refs.size()));
        world.network().fork(name, () -> {
            if (give(ref, box)) {
                new SimulatedOperator(world, name, ref, Duration.ZERO).live();
                takeAwayOncePicked(ref, box);
            }
        });
    }

    private void takeAwayOncePicked(RecordRef ref, String box) {
        for (int look = 0; look < LOOKS; look++) {
            world.pause(Duration.ofMillis(1 + world.random().nextInt(200)));
            boolean picked = records.read(ref)
                    .flatMap(stored -> stored.record().run())
                    .filter(run -> run.state() == ActiveRun.State.PICKED && box.equals(run.box()))
                    .isPresent();
            if (picked) {
                boxes.stream()
                        .map(SimulatedBox::name)
                        .filter(other -> !other.equals(box))
                        .forEach(other -> give(ref, other));
                return;
            }
        }
    }

    private boolean give(RecordRef ref, String box) {
        try {
            records.change(
                    ref,
                    record -> mayHave(record, box)
                            ? new Transition.Changed(record.withBox(box))
                            : new Transition.Already());
        } catch (RecordContendedException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        new ChangeMarker(world.stored(), world.region(ref)).bump(world.random());
        return true;
    }

    private boolean mayHave(InstanceRecord record, String box) {
        return !record.isTrashed() && world.regionOf(box).equals(record.region());
    }
}

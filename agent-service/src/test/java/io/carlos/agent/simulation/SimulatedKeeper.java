package io.carlos.agent.simulation;

import io.carlos.model.records.RecordChange;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.Transition;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Whoever changes records for reasons that have nothing to do with their runs, in troubled times. */
final class SimulatedKeeper {
    private final World world;
    private final List<RecordRef> refs;
    private final List<SimulatedBox> boxes;
    private final SimulatedProcess process;

    SimulatedKeeper(World world, List<RecordRef> refs, List<SimulatedBox> boxes) {
        this.world = world;
        this.refs = refs;
        this.boxes = boxes;
        this.process = world.process("keeper");
    }

    void live() {
        if (world.troubles().moves()) {
            again("moves", 20_000, this::move);
        }
        if (world.troubles().scribbles()) {
            again("scribbles", 10_000, this::scribble);
        }
        if (world.troubles().remakes()) {
            again("remakes", 200_000, this::remake);
        }
    }

    private void again(String what, int mostMillis, Runnable deed) {
        process.fork(what, () -> {
            while (true) {
                world.pause(Duration.ofMillis(1 + world.random().nextInt(mostMillis)));
                if (world.isCalm()) {
                    return;
                }
                deed.run();
            }
        });
    }

    private void move() {
        Random random = world.random();
        SimulatedBox other = random.nextInt(3) == 0 ? null : boxes.get(random.nextInt(boxes.size()));
        change(record -> new Transition.Changed(
                record.withBox(other == null || !other.region().equals(record.region()) ? null : other.name())));
    }

    private void scribble() {
        boolean trash = world.random().nextInt(4) == 0;
        change(record -> new Transition.Changed(record.withTrashedAt(trash ? process.now() : null)));
    }

    private void change(RecordChange change) {
        RecordStore records = new RecordStore(new SimulatedStore(world, process, () -> {}), process, world.tokens());
        try {
            records.change(any(), change);
        } catch (StoreException | RecordContendedException e) {
            world.trace("keeper: gave up: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void remake() {
        RecordRef ref = any();
        world.trace("keeper: makes again " + ref);
        world.stored().delete(ref.key());
        world.ledger().recordDeleted(ref);
        world.pause(Duration.ofMillis(world.random().nextInt(5_000)));
        world.createRecord(ref);
    }

    private RecordRef any() {
        return refs.get(world.random().nextInt(refs.size()));
    }
}

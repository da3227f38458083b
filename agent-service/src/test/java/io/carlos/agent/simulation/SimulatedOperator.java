package io.carlos.agent.simulation;

import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.FollowListener;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Somebody at a terminal: asks for a run, follows it, perhaps cancels it, perhaps goes away in the middle. */
final class SimulatedOperator {
    private final World world;
    private final String name;
    private final RecordRef ref;
    private final Duration first;

    /** @param first when it asks for its run */
    SimulatedOperator(World world, String name, RecordRef ref, Duration first) {
        this.world = world;
        this.name = name;
        this.ref = ref;
        this.first = first;
    }

    void live() {
        SimulatedProcess process = world.process(name);
        Random random = world.random();
        Duration timeout = Duration.ofSeconds(1 + random.nextInt(random.nextBoolean() ? 20 : 120));
        world.ledger().askBegins();
        process.fork("submit", () -> {
            world.pause(first);
            submit(process, timeout);
            world.ledger().askEnds();
        });
    }

    private void submit(SimulatedProcess process, Duration timeout) {
        ObjectStore store = store(process);
        RecordStore records = new RecordStore(store, process, world.tokens());
        RunSubmitter submitter = new RunSubmitter(store, records, process, world.random());
        try {
            SubmitOutcome outcome =
                    submitter.submit(new RunOrder(ref, List.of("command"), timeout, name, List.of()), file -> {});
            world.trace(name + ": " + outcome.getClass().getSimpleName());
            if (outcome instanceof SubmitOutcome.Queued(var request)) {
                world.ledger().toldQueued(request.id());
                accompany(process, store, records, request.id());
            }
        } catch (StoreException | RecordContendedException e) {
            world.trace(name + ": gave up: " + e.getMessage());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private ObjectStore store(SimulatedProcess process) {
        ObjectStore store = new SimulatedStore(world, process, () -> {});
        return world.variant() == Variant.NEVER_ABANDONED ? new BrokenStore(world, process, name, name, store) : store;
    }

    private void accompany(SimulatedProcess process, ObjectStore store, RecordStore records, RunId id) {
        Random random = world.random();
        if (random.nextInt(3) == 0) {
            Duration after = Duration.ofMillis(random.nextInt(random.nextBoolean() ? 2_000 : 40_000));
            process.fork("cancel " + id, () -> {
                world.pause(after);
                cancel(process, store, records, id);
            });
        }
        if (random.nextBoolean()) {
            process.fork("follow " + id, () -> follow(process, store, records, id));
        }
    }

    private void cancel(SimulatedProcess process, ObjectStore store, RecordStore records, RunId id) {
        try {
            new RunCloser(store, records, process).cancel(ref, id);
            new ChangeMarker(store, world.region(ref)).bump(world.random());
        } catch (StoreException | RecordContendedException e) {
            world.trace(name + ": cancel gave up: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void follow(SimulatedProcess process, ObjectStore store, RecordStore records, RunId id) {
        RunFollower follower = new RunFollower(store, records, process, Duration.ofSeconds(5));
        long[] next = {1};
        FollowListener listener = new FollowListener() {
            @Override
            public void chunk(long seq, OutputChannel channel, byte[] bytes) {
                if (seq != next[0]) {
                    throw new AssertionError(id + ": a reader got chunk " + seq + " and not " + next[0]);
                }
                next[0]++;
            }
        };
        try {
            FollowEnd end = follower.follow(ref, id, 1, listener);
            world.trace(name + ": followed to " + end);
            if (end instanceof FollowEnd.Ended(var result) && next[0] != result.lastSeq() + 1) {
                throw new AssertionError(
                        id + ": a reader ended after chunk " + (next[0] - 1) + " of " + result.lastSeq());
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.carlos.agent.simulation;

import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import io.carlos.store.StoredObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** One process's way to the world's store: it takes time, it fails, it loses answers, and the process may die on it. */
final class SimulatedStore implements ObjectStore {
    /** Longer than any write is under way: what a real client's own time-out bounds. */
    private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(30);

    private final World world;
    private final SimulatedProcess process;

    SimulatedStore(World world, SimulatedProcess process) {
        this.world = world;
        this.process = process;
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        world.ledger().readBegins(key);
        return read("get " + key, () -> world.stored().get(key));
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        return read("get " + key, () -> world.stored().getUnlessMatch(key, knownEtag));
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        return read("list " + prefix, () -> world.stored().list(prefix, startAfter, limit));
    }

    @Override
    public void delete(ObjectKey key) {
        String what = "delete " + key;
        travel(what);
        world.stored().delete(key);
        answer(what);
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        String what = "put " + key;
        world.ledger().putBegins(process, key);
        travel(what);
        Random random = world.random();
        if (random.nextDouble() < world.faults().lost()) {
            loseAnswer(key, value, precondition);
        }
        String etag = effect(key, value, precondition);
        answer(what);
        return etag;
    }

    private String effect(ObjectKey key, byte[] value, Precondition precondition) {
        Optional<StoredObject> before = world.stored().get(key);
        String etag = world.stored().put(key, value, precondition);
        world.ledger().putDone(process, key, before.map(StoredObject::value), value);
        return etag;
    }

    private void loseAnswer(ObjectKey key, byte[] value, Precondition precondition) {
        Random random = world.random();
        if (random.nextBoolean()) {
            effectIfItHolds(key, value, precondition);
        } else if (random.nextDouble() < world.faults().late()) {
            Duration delay = Duration.ofMillis(random.nextInt((int) CLIENT_TIMEOUT.toMillis()));
            world.network().fork("late put " + key, () -> {
                world.pause(delay);
                effectIfItHolds(key, value, precondition);
            });
        }
        world.pause(CLIENT_TIMEOUT);
        throw new AmbiguousWriteException("put " + key + ": simulated: the answer was lost", null);
    }

    private void effectIfItHolds(ObjectKey key, byte[] value, Precondition precondition) {
        try {
            effect(key, value, precondition);
        } catch (CasConflictException e) {
            world.trace("late or lost: " + e.getMessage());
        }
    }

    private <T> T read(String what, Supplier<T> effect) {
        travel(what);
        T found = effect.get();
        answer(what);
        return found;
    }

    private void travel(String what) {
        world.crashPoint(process, "before " + what);
        world.pause(latency());
        if (world.isStoreAwayFor(process)
                || world.random().nextDouble() < world.faults().unavailable()) {
            throw new StoreUnavailableException(what + ": simulated: not reached", null);
        }
    }

    private void answer(String what) {
        world.crashPoint(process, "after " + what);
        world.pause(latency());
    }

    private Duration latency() {
        return Duration.ofNanos(
                1 + world.random().nextLong(world.faults().latency().toNanos()));
    }
}

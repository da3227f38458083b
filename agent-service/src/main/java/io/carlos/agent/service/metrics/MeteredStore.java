package io.carlos.agent.service.metrics;

import io.carlos.agent.service.metrics.StoreCalls.Operation;
import io.carlos.agent.service.metrics.StoreCalls.Outcome;
import io.carlos.store.CasConflictException;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoredObject;
import io.carlos.store.WatchableStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A store whose calls somebody is told of; nothing else is different. */
public class MeteredStore implements ObjectStore {
    private final ObjectStore store;
    private final StoreCalls calls;

    private MeteredStore(ObjectStore store, StoreCalls calls) {
        this.store = store;
        this.calls = calls;
    }

    /** @return a {@link WatchableStore} if the store is one */
    public static ObjectStore of(ObjectStore store, StoreCalls calls) {
        return store instanceof WatchableStore watchable
                ? new Watchable(watchable, calls)
                : new MeteredStore(store, calls);
    }

    private static final class Watchable extends MeteredStore implements WatchableStore {
        private final WatchableStore watchable;

        Watchable(WatchableStore watchable, StoreCalls calls) {
            super(watchable, calls);
            this.watchable = watchable;
        }

        @Override
        public Watch watch(ObjectKey key, Runnable changed) {
            return watchable.watch(key, changed);
        }
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        return call(Operation.GET, () -> store.get(key), any -> {});
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        return call(Operation.GET, () -> store.getUnlessMatch(key, knownEtag), any -> {});
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        return call(
                Operation.PUT,
                () -> store.put(key, value, precondition),
                outcome -> calls.put(key, value.length, outcome));
    }

    @Override
    public void delete(ObjectKey key) {
        call(
                Operation.DELETE,
                () -> {
                    store.delete(key);
                    return true;
                },
                any -> {});
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        return call(Operation.LIST, () -> store.list(prefix, startAfter, limit), any -> {});
    }

    private <T> T call(Operation operation, Supplier<T> call, Consumer<Outcome> detail) {
        long start = System.nanoTime();
        Outcome outcome = Outcome.FAILED;
        try {
            T answer = call.get();
            outcome = Outcome.OK;
            return answer;
        } catch (CasConflictException e) {
            outcome = Outcome.CONFLICT;
            throw e;
        } finally {
            calls.ended(operation, outcome, Duration.ofNanos(System.nanoTime() - start));
            detail.accept(outcome);
        }
    }
}

package io.carlos.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Passes every call on and remembers the writes that took effect, in their order. */
public final class RecordingObjectStore implements ObjectStore {
    private final ObjectStore store;
    private final List<Write> writes = new CopyOnWriteArrayList<>();
    private volatile Consumer<Write> listener = write -> {};

    public RecordingObjectStore(ObjectStore store) {
        this.store = store;
    }

    /** A put that took effect. */
    public record Write(ObjectKey key, byte[] value) {}

    /** Told of each write right after it took effect. */
    public void onWrite(Consumer<Write> told) {
        listener = told;
    }

    public List<Write> writes() {
        return List.copyOf(writes);
    }

    /** The keys of {@link #writes}. */
    public List<ObjectKey> keys() {
        return writes.stream().map(Write::key).toList();
    }

    /** Forgets what was written so far. */
    public void forget() {
        writes.clear();
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        return store.get(key);
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        return store.getUnlessMatch(key, knownEtag);
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        String etag = store.put(key, value, precondition);
        Write write = new Write(key, value.clone());
        writes.add(write);
        listener.accept(write);
        return etag;
    }

    @Override
    public void delete(ObjectKey key) {
        store.delete(key);
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        return store.list(prefix, startAfter, limit);
    }
}

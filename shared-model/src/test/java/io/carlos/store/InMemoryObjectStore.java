package io.carlos.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's contract on a map. Like S3 it gives equal values equal etags, so that code which forgets to make every
 * value unlike the last is found out. Watches are called by the writing thread, after the write.
 */
public final class InMemoryObjectStore implements WatchableStore {
    private static final Logger log = LoggerFactory.getLogger(InMemoryObjectStore.class);

    private final InstantSource clock;
    private final NavigableMap<String, StoredObject> objects = new TreeMap<>();
    private final List<KeyWatch> watches = new CopyOnWriteArrayList<>();

    public InMemoryObjectStore() {
        this(InstantSource.system());
    }

    /** @param clock what gives each write its last-modified time */
    public InMemoryObjectStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized Optional<StoredObject> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key.value())).map(InMemoryObjectStore::copy);
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        Optional<StoredObject> found = get(key);
        if (found.isEmpty()) {
            return new ConditionalRead.Absent();
        }
        return found.get().etag().equals(knownEtag)
                ? new ConditionalRead.Unchanged()
                : new ConditionalRead.Changed(found.get());
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        StoreArguments.checkValue(key, value);
        StoredObject written = new StoredObject(key, value.clone(), etagOf(value), clock.instant());
        synchronized (this) {
            check(key, precondition);
            objects.put(key.value(), written);
        }
        tell(key);
        return written.etag();
    }

    private void check(ObjectKey key, Precondition precondition) {
        StoredObject current = objects.get(key.value());
        switch (precondition) {
            case Precondition.None() -> {}
            case Precondition.CreateOnly() -> {
                if (current != null) {
                    throw new CasConflictException(key, "no value, found etag " + current.etag());
                }
            }
            case Precondition.IfMatch(String etag) -> {
                if (current == null) {
                    throw new CasConflictException(key, "etag " + etag + ", found no value");
                }
                if (!current.etag().equals(etag)) {
                    throw new CasConflictException(key, "etag " + etag + ", found " + current.etag());
                }
            }
        }
    }

    @Override
    public void delete(ObjectKey key) {
        boolean removed;
        synchronized (this) {
            removed = objects.remove(key.value()) != null;
        }
        if (removed) {
            tell(key);
        }
    }

    @Override
    public synchronized List<ListedObject> list(String prefix, String startAfter, int limit) {
        StoreArguments.checkLimit(limit);
        List<ListedObject> rows = new ArrayList<>();
        boolean afterPrefix = startAfter.compareTo(prefix) >= 0;
        Map<String, StoredObject> candidates =
                afterPrefix ? objects.tailMap(startAfter, false) : objects.tailMap(prefix, true);
        for (StoredObject object : candidates.values()) {
            if (rows.size() == limit || !object.key().value().startsWith(prefix)) {
                break;
            }
            rows.add(new ListedObject(object.key(), object.etag(), object.value().length, object.lastModified()));
        }
        return rows;
    }

    @Override
    public Watch watch(ObjectKey key, Runnable changed) {
        KeyWatch watch = new KeyWatch(key, changed);
        watches.add(watch);
        return watch;
    }

    private void tell(ObjectKey key) {
        for (KeyWatch watch : watches) {
            if (watch.key.equals(key)) {
                watch.run();
            }
        }
    }

    private static StoredObject copy(StoredObject object) {
        return new StoredObject(object.key(), object.value().clone(), object.etag(), object.lastModified());
    }

    private static String etagOf(byte[] value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(value));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Compared by identity: two watches of one key with one callback are two. */
    private final class KeyWatch implements Watch {
        private final ObjectKey key;
        private final Runnable changed;

        KeyWatch(ObjectKey key, Runnable changed) {
            this.key = key;
            this.changed = changed;
        }

        void run() {
            try {
                changed.run();
            } catch (RuntimeException e) {
                log.error("watch: {}: a callback threw", key, e);
            }
        }

        @Override
        public void close() {
            watches.remove(this);
        }
    }
}

package io.carlos.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A store with one fault that servers in the field have. */
final class BrokenObjectStore implements ObjectStore {
    /** The faults, each named by the check that is there to find it. */
    enum Defect {
        IGNORES_CREATE_ONLY(PreflightCheck.CREATE_ONLY),
        OVERWRITES_BEFORE_THE_CONFLICT_OF_CREATE_ONLY(PreflightCheck.CREATE_ONLY),
        ACKNOWLEDGES_CREATE_ONLY_WITHOUT_WRITING(PreflightCheck.CREATE_ONLY),
        IGNORES_IF_MATCH(PreflightCheck.STALE_IF_MATCH),
        OVERWRITES_BEFORE_THE_CONFLICT_OF_IF_MATCH(PreflightCheck.STALE_IF_MATCH),
        REFUSES_EVERY_IF_MATCH(PreflightCheck.CURRENT_IF_MATCH),
        CREATES_BY_IF_MATCH(PreflightCheck.ABSENT_IF_MATCH),
        CREATES_IN_TWO_STEPS(PreflightCheck.CREATE_RACE),
        SWAPS_IN_TWO_STEPS(PreflightCheck.COUNTER_RACE),
        LISTS_OTHER_ETAGS(PreflightCheck.ETAGS_AGREE),
        LISTS_ALL_BUT_THE_NEWEST(PreflightCheck.LISTED_AT_ONCE),
        LISTS_FROM_THE_START_ITSELF(PreflightCheck.START_AFTER_EXCLUSIVE);

        private final PreflightCheck finder;

        Defect(PreflightCheck finder) {
            this.finder = finder;
        }

        PreflightCheck finder() {
            return finder;
        }
    }

    private final InMemoryObjectStore store;
    private final Defect defect;
    private final Meeting meeting = new Meeting();
    private volatile Optional<ObjectKey> newest = Optional.empty();

    BrokenObjectStore(InMemoryObjectStore store, Defect defect) {
        this.store = store;
        this.defect = defect;
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
        String etag = switch (precondition) {
            case Precondition.None _ -> store.put(key, value, precondition);
            case Precondition.CreateOnly _ -> create(key, value);
            case Precondition.IfMatch ifMatch -> swap(key, value, ifMatch);
        };
        newest = Optional.of(key);
        return etag;
    }

    private String create(ObjectKey key, byte[] value) {
        Optional<StoredObject> found = store.get(key);
        return switch (defect) {
            case IGNORES_CREATE_ONLY -> store.put(key, value, Precondition.NONE);
            case OVERWRITES_BEFORE_THE_CONFLICT_OF_CREATE_ONLY -> {
                String etag = store.put(key, value, Precondition.NONE);
                if (found.isPresent()) {
                    throw new CasConflictException(key, "no value, found one");
                }
                yield etag;
            }
            case ACKNOWLEDGES_CREATE_ONLY_WITHOUT_WRITING ->
                found.isPresent() ? found.get().etag() : store.put(key, value, Precondition.NONE);
            case CREATES_IN_TWO_STEPS -> {
                if (found.isPresent()) {
                    throw new CasConflictException(key, "no value, found one");
                }
                meeting.await();
                yield store.put(key, value, Precondition.NONE);
            }
            default -> store.put(key, value, Precondition.CREATE_ONLY);
        };
    }

    private String swap(ObjectKey key, byte[] value, Precondition.IfMatch ifMatch) {
        Optional<String> found = store.get(key).map(StoredObject::etag);
        boolean matches = found.equals(Optional.of(ifMatch.etag()));
        return switch (defect) {
            case IGNORES_IF_MATCH -> store.put(key, value, Precondition.NONE);
            case OVERWRITES_BEFORE_THE_CONFLICT_OF_IF_MATCH -> {
                String etag = store.put(key, value, Precondition.NONE);
                if (!matches) {
                    throw new CasConflictException(key, "another etag");
                }
                yield etag;
            }
            case REFUSES_EVERY_IF_MATCH -> throw new CasConflictException(key, "another etag");
            case CREATES_BY_IF_MATCH -> store.put(key, value, found.isEmpty() ? Precondition.NONE : ifMatch);
            case SWAPS_IN_TWO_STEPS -> {
                if (!matches) {
                    throw new CasConflictException(key, "another etag");
                }
                meeting.await();
                yield store.put(key, value, Precondition.NONE);
            }
            default -> store.put(key, value, ifMatch);
        };
    }

    @Override
    public void delete(ObjectKey key) {
        store.delete(key);
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        return switch (defect) {
            case LISTS_OTHER_ETAGS ->
                store.list(prefix, startAfter, limit).stream()
                        .map(r -> new ListedObject(r.key(), '"' + r.etag() + '"', r.size(), r.lastModified()))
                        .toList();
            case LISTS_ALL_BUT_THE_NEWEST ->
                store.list(prefix, startAfter, limit).stream()
                        // A listing of one key alone is left whole, so that only lists are late.
                        .filter(r -> r.key().value().equals(prefix) || !newest.equals(Optional.of(r.key())))
                        .toList();
            case LISTS_FROM_THE_START_ITSELF ->
                store.list(prefix, "", limit).stream()
                        .filter(r -> r.key().value().compareTo(startAfter) >= 0)
                        .toList();
            default -> store.list(prefix, startAfter, limit);
        };
    }

    /** Holds a writer between its look and its write until a second one is there too, or nobody comes for a while. */
    private static final class Meeting {
        private long arrivals;

        synchronized void await() {
            arrivals++;
            notifyAll();
            long before = arrivals;
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
            try {
                while (arrivals == before && before % 2 == 1 && System.nanoTime() < deadline) {
                    wait(10);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

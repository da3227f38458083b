package io.carlos.store;

import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A store in front of another one that fails when it is told to, or at random from a seed, and counts what it was asked.
 * What was told comes before chance; a told failure is used up by the first call that it fits.
 */
public final class FaultyObjectStore implements ObjectStore {
    /** The kinds of call. */
    public enum Call {
        GET,
        GET_UNLESS_MATCH,
        PUT,
        DELETE,
        LIST
    }

    /** The ways to fail. */
    public enum Fault {
        /** {@link StoreUnavailableException}, and the other store is not asked. */
        UNAVAILABLE,
        /** {@link ReadRefusedException} of a read of one object. */
        REFUSED,
        /** {@link AmbiguousWriteException}, and the other store is not asked. */
        AMBIGUOUS_NOT_DONE,
        /** {@link AmbiguousWriteException} after the other store was asked, whatever it answered. */
        AMBIGUOUS_DONE,
        /** {@link CasConflictException} though the precondition may hold; the other store is not asked. */
        CONFLICT
    }

    private final ObjectStore store;
    private final Queue<Told> told = new ArrayDeque<>();
    private final Map<Call, Integer> counts = new EnumMap<>(Call.class);
    private final Map<ObjectKey, Long> sizes = new ConcurrentHashMap<>();
    private Random random = new Random(0);
    private Predicate<String> denied = key -> false;
    private double probability;
    private List<Fault> randomFaults = List.of();

    public FaultyObjectStore(ObjectStore store) {
        this.store = store;
    }

    /** The next call of this kind fails so. */
    public void failNext(Call call, Fault fault) {
        failNext(call, subject -> true, fault);
    }

    /**
     * The next call of this kind that is about such a key fails so.
     *
     * @param subject asked with the key, for a list with the prefix
     */
    public synchronized void failNext(Call call, Predicate<String> subject, Fault fault) {
        if (!fits(fault, call, Precondition.CREATE_ONLY)) {
            throw new IllegalArgumentException("a " + call + " cannot end in " + fault);
        }
        told.add(new Told(call, subject, () -> Optional.of(fault)));
    }

    /** Right before the next call of this kind about such a key is done, this is: how another writer gets in between. */
    public synchronized void beforeNext(Call call, Predicate<String> subject, Runnable action) {
        told.add(new Told(call, subject, () -> {
            action.run();
            return Optional.empty();
        }));
    }

    /**
     * From now on each call fails with this probability, in one of the given ways that its kind can.
     *
     * @param seed equal seeds give equal failures for equal calls; print it when a test fails
     */
    public synchronized void failAtRandom(long seed, double probability, Fault... faults) {
        this.random = new Random(seed);
        this.probability = probability;
        this.randomFaults = List.of(faults);
    }

    /** From now on whoever reads one of these keys is refused, as by a policy of the store. */
    public synchronized void denyReads(Predicate<String> keys) {
        denied = keys;
    }

    private synchronized boolean denies(ObjectKey key) {
        return denied.test(key.value());
    }

    /** From now on listings give an object this size, which a client of ours could not have stored. */
    public void listSize(ObjectKey key, long bytes) {
        sizes.put(key, bytes);
    }

    /** How many calls of this kind were made, failed ones too. */
    public synchronized int count(Call call) {
        return counts.getOrDefault(call, 0);
    }

    /** What was told and not used up yet; a test that told something expects 0 at its end. */
    public synchronized int outstanding() {
        return told.size();
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        enter(Call.GET, key.value(), Precondition.NONE);
        if (denies(key)) {
            throw new ReadRefusedException("get " + key + ": denied", null);
        }
        return store.get(key);
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        enter(Call.GET_UNLESS_MATCH, key.value(), Precondition.NONE);
        return store.getUnlessMatch(key, knownEtag);
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        boolean loseAnswer = enter(Call.PUT, key.value(), precondition);
        if (!loseAnswer) {
            return store.put(key, value, precondition);
        }
        try {
            store.put(key, value, precondition);
        } catch (CasConflictException e) {
            // This answer is lost as well.
        }
        throw new AmbiguousWriteException("put " + key + ": injected: the answer was lost", null);
    }

    @Override
    public void delete(ObjectKey key) {
        boolean loseAnswer = enter(Call.DELETE, key.value(), Precondition.NONE);
        store.delete(key);
        if (loseAnswer) {
            throw new AmbiguousWriteException("delete " + key + ": injected: the answer was lost", null);
        }
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        enter(Call.LIST, prefix, Precondition.NONE);
        return store.list(prefix, startAfter, limit).stream()
                .map(listed -> new ListedObject(
                        listed.key(),
                        listed.etag(),
                        sizes.getOrDefault(listed.key(), listed.size()),
                        listed.lastModified()))
                .toList();
    }

    /** Fails if it is this call's turn, else says whether the answer is to be lost. */
    private boolean enter(Call call, String subject, Precondition precondition) {
        Optional<Fault> fault = nextFault(call, subject, precondition);
        if (fault.isEmpty()) {
            return false;
        }
        String message = call + " " + subject + ": injected: ";
        return switch (fault.get()) {
            case UNAVAILABLE -> throw new StoreUnavailableException(message + "not reached", null);
            case REFUSED -> throw new ReadRefusedException(message + "not yours to read", null);
            case AMBIGUOUS_NOT_DONE -> throw new AmbiguousWriteException(message + "the answer was lost", null);
            case CONFLICT -> throw new CasConflictException(ObjectKey.of(subject), "no injected conflict");
            case AMBIGUOUS_DONE -> true;
        };
    }

    private Optional<Fault> nextFault(Call call, String subject, Precondition precondition) {
        Supplier<Optional<Fault>> turn;
        synchronized (this) {
            counts.merge(call, 1, Integer::sum);
            Optional<Told> first =
                    told.stream().filter(t -> t.fits(call, subject)).findFirst();
            first.ifPresent(told::remove);
            Optional<Fault> chance = first.isPresent() ? Optional.empty() : chance(call, precondition);
            turn = first.map(Told::turn).orElse(() -> chance);
        }
        // Outside of the monitor, since an action may call this store.
        return turn.get();
    }

    private Optional<Fault> chance(Call call, Precondition precondition) {
        List<Fault> possible =
                randomFaults.stream().filter(f -> fits(f, call, precondition)).toList();
        if (possible.isEmpty() || random.nextDouble() >= probability) {
            return Optional.empty();
        }
        return Optional.of(possible.get(random.nextInt(possible.size())));
    }

    private static boolean fits(Fault fault, Call call, Precondition precondition) {
        return switch (fault) {
            case UNAVAILABLE -> true;
            case REFUSED -> call == Call.GET || call == Call.GET_UNLESS_MATCH;
            case AMBIGUOUS_NOT_DONE, AMBIGUOUS_DONE -> call == Call.PUT || call == Call.DELETE;
            case CONFLICT -> call == Call.PUT && !(precondition instanceof Precondition.None);
        };
    }

    private record Told(Call call, Predicate<String> subject, Supplier<Optional<Fault>> turn) {
        boolean fits(Call asked, String about) {
            return call == asked && subject.test(about);
        }
    }
}

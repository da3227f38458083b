package io.carlos.store;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The fake that other tests trust is linearizable, so what they find is a fault of the code under test. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "value", gen = IntGen.class, conf = "0:1")
public class InMemoryObjectStoreLincheckTest {
    private static final List<ObjectKey> KEYS = List.of(ObjectKey.of("a"), ObjectKey.of("b"));
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));

    /** By value: equal values have equal etags. */
    private static final List<String> ETAGS = List.of(etagOf(0), etagOf(1), etagOf(2));

    private final InMemoryObjectStore store = new InMemoryObjectStore(CLOCK);

    @Test
    void everyInterleavingIsAnOrderOfTheCalls() {
        new ModelCheckingOptions()
                .iterations(60)
                .invocationsPerIteration(50)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(1)
                .sequentialSpecification(SequentialStore.class)
                .check(InMemoryObjectStoreLincheckTest.class);
    }

    @Operation
    public int get(@Param(name = "key") int key) {
        return store.get(KEYS.get(key)).map(object -> (int) object.value()[0]).orElse(SequentialStore.ABSENT);
    }

    @Operation
    public boolean create(@Param(name = "key") int key, @Param(name = "value") int value) {
        return put(key, value, Precondition.CREATE_ONLY);
    }

    @Operation
    public boolean replace(
            @Param(name = "key") int key, @Param(name = "value") int expected, @Param(name = "value") int value) {
        return put(key, value, Precondition.ifMatch(ETAGS.get(expected)));
    }

    @Operation
    public void delete(@Param(name = "key") int key) {
        store.delete(KEYS.get(key));
    }

    private boolean put(int key, int value, Precondition precondition) {
        try {
            store.put(KEYS.get(key), bytes(value), precondition);
            return true;
        } catch (CasConflictException e) {
            return false;
        }
    }

    private static byte[] bytes(int value) {
        return new byte[] {(byte) value};
    }

    private static String etagOf(int value) {
        return new InMemoryObjectStore(CLOCK).put(KEYS.getFirst(), bytes(value), Precondition.CREATE_ONLY);
    }

    /** The contract for one thread. */
    public static final class SequentialStore {
        private static final int ABSENT = -1;

        private final Map<Integer, Integer> values = new HashMap<>();

        public int get(int key) {
            return values.getOrDefault(key, ABSENT);
        }

        public boolean create(int key, int value) {
            return values.putIfAbsent(key, value) == null;
        }

        public boolean replace(int key, int expected, int value) {
            boolean matches = Objects.equals(values.get(key), expected);
            if (matches) {
                values.put(key, value);
            }
            return matches;
        }

        public void delete(int key) {
            values.remove(key);
        }
    }
}

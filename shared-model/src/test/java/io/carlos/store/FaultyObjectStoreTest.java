package io.carlos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FaultyObjectStoreTest {
    private static final ObjectKey KEY = ObjectKey.of("a/b");
    private static final byte[] VALUE = {1};

    private final InMemoryObjectStore inner = new InMemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(inner);

    @Nested
    class Untold extends ObjectStoreContract {
        @Override
        protected ObjectStore open() {
            return store;
        }
    }

    @Test
    void anUnavailablePutWritesNothingAndOnlyTheNextOneFails() {
        store.failNext(Call.PUT, Fault.UNAVAILABLE);
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.NONE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("a/b");
        assertThat(inner.get(KEY)).isEmpty();
        store.put(KEY, VALUE, Precondition.CREATE_ONLY);
        assertThat(inner.get(KEY)).isPresent();
        assertThat(store.outstanding()).isZero();
    }

    @Test
    void anAmbiguousPutWasDoneOrNotAsTold() {
        store.failNext(Call.PUT, Fault.AMBIGUOUS_NOT_DONE);
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.CREATE_ONLY))
                .isInstanceOf(AmbiguousWriteException.class);
        assertThat(inner.get(KEY)).isEmpty();
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.CREATE_ONLY))
                .isInstanceOf(AmbiguousWriteException.class);
        assertThat(inner.get(KEY)).isPresent();
    }

    @Test
    void aLostAnswerHidesAConflict() {
        inner.put(KEY, VALUE, Precondition.NONE);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.CREATE_ONLY))
                .isInstanceOf(AmbiguousWriteException.class);
    }

    @Test
    void anAmbiguousDeleteWasDoneOrNotAsTold() {
        inner.put(KEY, VALUE, Precondition.NONE);
        store.failNext(Call.DELETE, Fault.AMBIGUOUS_NOT_DONE);
        assertThatThrownBy(() -> store.delete(KEY)).isInstanceOf(AmbiguousWriteException.class);
        assertThat(inner.get(KEY)).isPresent();
        store.failNext(Call.DELETE, Fault.AMBIGUOUS_DONE);
        assertThatThrownBy(() -> store.delete(KEY)).isInstanceOf(AmbiguousWriteException.class);
        assertThat(inner.get(KEY)).isEmpty();
    }

    @Test
    void aToldConflictWritesNothing() {
        store.failNext(Call.PUT, Fault.CONFLICT);
        assertThatThrownBy(() -> store.put(KEY, VALUE, Precondition.CREATE_ONLY))
                .isInstanceOf(CasConflictException.class);
        assertThat(inner.get(KEY)).isEmpty();
    }

    @Test
    void aReadCannotBeToldToConflict() {
        assertThatThrownBy(() -> store.failNext(Call.GET, Fault.CONFLICT)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFailureWaitsForTheKeyItWasToldFor() {
        store.failNext(Call.GET, key -> key.startsWith("x"), Fault.UNAVAILABLE);
        assertThat(store.get(KEY)).isEmpty();
        assertThat(store.outstanding()).isOne();
        assertThatThrownBy(() -> store.get(ObjectKey.of("x"))).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.outstanding()).isZero();
    }

    @Test
    void anotherWriterGetsInBeforeTheToldCall() {
        String etag = store.put(KEY, VALUE, Precondition.NONE);
        store.beforeNext(Call.PUT, key -> true, () -> store.put(KEY, new byte[] {2}, Precondition.NONE));
        assertThatThrownBy(() -> store.put(KEY, new byte[] {3}, Precondition.ifMatch(etag)))
                .isInstanceOf(CasConflictException.class);
        assertThat(inner.get(KEY).orElseThrow().value()).containsExactly(2);
    }

    @Test
    void callsAreCountedByKindFailedOnesToo() {
        store.failNext(Call.LIST, Fault.UNAVAILABLE);
        assertThatThrownBy(() -> store.list("", "", 1)).isInstanceOf(StoreUnavailableException.class);
        store.list("", "", 1);
        store.getUnlessMatch(KEY, "x");
        assertThat(store.count(Call.LIST)).isEqualTo(2);
        assertThat(store.count(Call.GET_UNLESS_MATCH)).isOne();
        assertThat(store.count(Call.GET)).isZero();
    }

    @Test
    void equalSeedsFailTheSameCallsAndEveryAskedForWayComesUp() {
        List<String> first = outcomes(7);
        assertThat(outcomes(7)).isEqualTo(first);
        assertThat(outcomes(8)).isNotEqualTo(first);
        assertThat(first)
                .contains("done", "StoreUnavailableException", "AmbiguousWriteException", "CasConflictException");
    }

    private static List<String> outcomes(long seed) {
        FaultyObjectStore store = new FaultyObjectStore(new InMemoryObjectStore());
        store.failAtRandom(seed, 0.5, Fault.values());
        List<String> outcomes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            try {
                store.put(ObjectKey.of("k" + i), VALUE, Precondition.CREATE_ONLY);
                outcomes.add("done");
            } catch (StoreException e) {
                outcomes.add(e.getClass().getSimpleName());
            }
        }
        return outcomes;
    }
}

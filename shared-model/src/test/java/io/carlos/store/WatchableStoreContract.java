package io.carlos.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a store that tells of changes must do besides. */
public abstract class WatchableStoreContract extends ObjectStoreRaceContract {
    @Override
    protected abstract WatchableStore open() throws Exception;

    @Test
    void aWatchTellsOfACreationAnOverwriteASwapAndARemovalByAnotherHandle() throws Exception {
        ObjectStore writer = open();
        Semaphore told = new Semaphore(0);
        try (WatchableStore.Watch _ = open().watch(key("a"), told::release)) {
            writer.put(key("a"), bytes("created"), Precondition.CREATE_ONLY);
            awaitCall(told);
            String etag = writer.put(key("a"), bytes("overwritten"), Precondition.NONE);
            awaitCall(told);
            writer.put(key("a"), bytes("swapped"), Precondition.ifMatch(etag));
            awaitCall(told);
            writer.delete(key("a"));
            awaitCall(told);
        }
    }

    @Test
    void aWatchTellsOfAWriteByItsOwnHandle() throws Exception {
        WatchableStore store = open();
        Semaphore told = new Semaphore(0);
        try (WatchableStore.Watch _ = store.watch(key("a/b"), told::release)) {
            store.put(key("a/b"), bytes("one"), Precondition.NONE);
            awaitCall(told);
        }
    }

    @Test
    void whoeverLooksWhenToldSeesTheNewValue() throws Exception {
        WatchableStore store = open();
        ObjectStore writer = open();
        Semaphore told = new Semaphore(0);
        try (WatchableStore.Watch _ = store.watch(key("a"), told::release)) {
            for (int i = 0; i < 20; i++) {
                String etag = writer.put(key("a"), bytes("value " + i), Precondition.NONE);
                do {
                    awaitCall(told);
                } while (!store.get(key("a")).map(StoredObject::etag).equals(Optional.of(etag)));
            }
        }
    }

    @Test
    void eachOfTwoWatchesOfOneKeyIsToldUntilItIsClosed() throws Exception {
        WatchableStore store = open();
        ObjectStore writer = open();
        AtomicInteger first = new AtomicInteger();
        Semaphore second = new Semaphore(0);
        WatchableStore.Watch closed = store.watch(key("a"), first::incrementAndGet);
        try (WatchableStore.Watch _ = store.watch(key("a"), second::release)) {
            closed.close();
            closed.close();
            int before = first.get();
            writer.put(key("a"), bytes("one"), Precondition.NONE);
            awaitCall(second);
            assertThat(first).hasValue(before);
        }
    }

    @Test
    void aCallbackThatThrowsDoesNotSilenceTheOthers() throws Exception {
        WatchableStore store = open();
        ObjectStore writer = open();
        CountDownLatch both = new CountDownLatch(2);
        Runnable throwing = () -> {
            both.countDown();
            throw new IllegalStateException("thrown on purpose by a callback");
        };
        try (WatchableStore.Watch _ = store.watch(key("a"), throwing);
                WatchableStore.Watch _ = store.watch(key("a"), both::countDown)) {
            writer.put(key("a"), bytes("one"), Precondition.NONE);
            assertThat(both.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Waits for at least one call and takes all that there are. */
    private static void awaitCall(Semaphore told) throws InterruptedException {
        assertThat(told.tryAcquire(10, TimeUnit.SECONDS))
                .as("told of the change")
                .isTrue();
        told.drainPermits();
    }
}

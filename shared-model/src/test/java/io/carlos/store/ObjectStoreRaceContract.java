package io.carlos.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every store must do when several write at once. Servers exist that pass {@link ObjectStoreContract} and fail
 * here, so a store is conformant only when it passes both.
 */
public abstract class ObjectStoreRaceContract extends ObjectStoreContract {
    private static final int WRITERS = 16;

    /** How often a race is run; more finds rarer failures. */
    protected int rounds() {
        return 50;
    }

    @Test
    @Timeout(300)
    void of16CreatorsOneWinsAndItsValueIsStored() throws Exception {
        List<ObjectStore> handles = handles();
        for (int round = 0; round < rounds(); round++) {
            ObjectKey key = key("round-" + round);
            List<Boolean> won =
                    race(writer -> tryPut(handles.get(writer), key, "writer " + writer, Precondition.CREATE_ONLY));
            assertOneWinner(round, won, handles.getFirst().get(key));
        }
    }

    @Test
    @Timeout(300)
    void of16WritersWithTheSameEtagOneWinsAndItsValueIsStored() throws Exception {
        List<ObjectStore> handles = handles();
        for (int round = 0; round < rounds(); round++) {
            ObjectKey key = key("round-" + round);
            Precondition current =
                    Precondition.ifMatch(handles.getFirst().put(key, bytes("before"), Precondition.NONE));
            List<Boolean> won = race(writer -> tryPut(handles.get(writer), key, "writer " + writer, current));
            assertOneWinner(round, won, handles.getFirst().get(key));
        }
    }

    @Test
    @Timeout(300)
    void aCounterOf16WritersLosesNoIncrement() throws Exception {
        List<ObjectStore> handles = handles();
        ObjectKey key = key("counter");
        handles.getFirst().put(key, bytes("0"), Precondition.CREATE_ONLY);
        int each = Math.max(1, rounds() / 5);
        race(writer -> {
            for (int i = 0; i < each; i++) {
                increment(handles.get(writer), key);
            }
            return true;
        });
        assertThat(text(handles.getFirst().get(key).orElseThrow())).isEqualTo("" + WRITERS * each);
    }

    @Test
    @Timeout(300)
    void creatorsAndRemoversOfOneKeyAgreeOnWhoWasFirst() throws Exception {
        List<ObjectStore> handles = handles();
        ObjectKey key = key("lease");
        // Only whoever created the key removes it, so it is a lock; a second holder would see the first one's mark.
        AtomicBoolean held = new AtomicBoolean();
        List<Boolean> fair = race(writer -> {
            boolean alone = true;
            for (int i = 0; i < rounds(); i++) {
                if (tryPut(handles.get(writer), key, "holder " + writer, Precondition.CREATE_ONLY)) {
                    alone &= held.compareAndSet(false, true);
                    alone &= held.compareAndSet(true, false);
                    handles.get(writer).delete(key);
                }
            }
            return alone;
        });
        assertThat(fair).doesNotContain(false);
        assertThat(handles.getFirst().get(key)).isEmpty();
    }

    @Test
    @Timeout(300)
    void aReaderNeverSeesAPartOrAMixOfValues() throws Exception {
        ObjectStore reader = open();
        ObjectStore writer = open();
        ObjectKey key = key("large");
        writer.put(key, filled('a'), Precondition.CREATE_ONLY);
        AtomicBoolean writing = new AtomicBoolean(true);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writes = executor.submit(() -> {
                for (int round = 0; round < rounds(); round++) {
                    writer.put(key, filled((char) ('a' + round % 26)), Precondition.NONE);
                }
                writing.set(false);
            });
            Map<String, Byte> seen = new HashMap<>();
            do {
                StoredObject object = reader.get(key).orElseThrow();
                byte first = object.value()[0];
                assertThat(object.value()).isEqualTo(filled((char) first));
                assertThat(seen.merge(object.etag(), first, (x, y) -> x)).isEqualTo(first);
            } while (writing.get() && !writes.isDone());
            writes.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    @Timeout(300)
    void aKeyThatIsOverwrittenAllTheTimeIsInEveryListing() throws Exception {
        ObjectStore reader = open();
        ObjectStore writer = open();
        for (String name : List.of("a", "b/c", "b/d", "e")) {
            writer.put(key(name), bytes("first"), Precondition.CREATE_ONLY);
        }
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writes = executor.submit(() -> {
                for (int round = 0; round < rounds(); round++) {
                    writer.put(key("b/c"), bytes("round " + round), Precondition.NONE);
                }
            });
            String prefix = key("x").value().replaceFirst("x$", "");
            do {
                assertThat(reader.list(prefix, "", 10))
                        .extracting(ListedObject::key)
                        .containsExactly(key("a"), key("b/c"), key("b/d"), key("e"));
            } while (!writes.isDone());
            writes.get(60, TimeUnit.SECONDS);
        }
    }

    /** What one writer of a race does. */
    @FunctionalInterface
    private interface Writer {
        boolean write(int number) throws Exception;
    }

    /** Two handles for all writers, since writers of one handle and writers of two meet in different places. */
    private List<ObjectStore> handles() throws Exception {
        ObjectStore one = open();
        ObjectStore other = open();
        return IntStream.range(0, WRITERS)
                .mapToObj(i -> i % 2 == 0 ? one : other)
                .toList();
    }

    private static List<Boolean> race(Writer writer) throws Exception {
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int number = i;
                Callable<Boolean> run = () -> {
                    start.await();
                    return writer.write(number);
                };
                running.add(executor.submit(run));
            }
            List<Boolean> results = new ArrayList<>();
            for (Future<Boolean> one : running) {
                results.add(one.get(240, TimeUnit.SECONDS));
            }
            return results;
        }
    }

    private static boolean tryPut(ObjectStore store, ObjectKey key, String value, Precondition precondition) {
        try {
            store.put(key, bytes(value), precondition);
            return true;
        } catch (CasConflictException e) {
            return false;
        }
    }

    private static void increment(ObjectStore store, ObjectKey key) {
        boolean done = false;
        while (!done) {
            StoredObject current = store.get(key).orElseThrow();
            int next = Integer.parseInt(text(current)) + 1;
            done = tryPut(store, key, "" + next, Precondition.ifMatch(current.etag()));
        }
    }

    private static void assertOneWinner(int round, List<Boolean> won, Optional<StoredObject> stored) {
        assertThat(won).as("round %d", round).containsOnlyOnce(true);
        assertThat(stored.map(ObjectStoreRaceContract::text))
                .as("round %d", round)
                .contains("writer " + won.indexOf(true));
    }

    private static byte[] filled(char c) {
        return ("" + c).repeat(300_000).getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(StoredObject object) {
        return new String(object.value(), StandardCharsets.UTF_8);
    }
}

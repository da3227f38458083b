package io.carlos.agent.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.AgentSettings;
import io.carlos.agent.local.LocalAgent.Claims;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import io.carlos.store.StoredObject;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real agent with real commands over a store that fails it. */
class StoreTroubleTest {
    private static final int OUTPUT_BYTES = 2_000_000;

    private static final Predicate<ObjectKey> NEVER = key -> false;

    @TempDir
    Path directory;

    @Test
    void when_every_third_write_fails_the_output_is_complete_to_the_byte_and_the_result_last() throws Exception {
        AtomicLong writes = new AtomicLong();
        assertComplete(new Trouble(key -> writes.incrementAndGet() % 3 == 0, NEVER, NEVER));
    }

    @Test
    void when_every_third_writes_answer_is_lost_the_output_is_complete_to_the_byte_and_nothing_is_stored_twice()
            throws Exception {
        AtomicLong writes = new AtomicLong();
        AtomicLong lost = new AtomicLong();
        assertComplete(new Trouble(NEVER, NEVER, key -> {
            boolean loses = writes.incrementAndGet() % 3 == 0;
            lost.addAndGet(loses && key.value().contains("/out/") ? 1 : 0);
            return loses;
        }));
        assertThat(lost.get()).as("lost answers to chunks").isPositive();
    }

    @Test
    void when_every_third_read_fails_by_chance_the_output_is_complete_to_the_byte() throws Exception {
        // In turn instead, the same call of every pass could be the one that fails.
        assertComplete(new Trouble(NEVER, oneIn(3), NEVER));
    }

    @Test
    void when_writes_are_refused_and_lost_and_reads_fail_by_chance_the_output_is_complete_to_the_byte()
            throws Exception {
        assertComplete(new Trouble(oneIn(4), oneIn(4), oneIn(4)));
    }

    private static Predicate<ObjectKey> oneIn(int calls) {
        Random random = new Random(calls);
        return key -> random.nextInt(calls) == 0;
    }

    @Test
    void when_the_store_is_away_for_thirty_seconds_in_mid_run_the_output_is_complete_to_the_byte() throws Exception {
        AtomicLong back = new AtomicLong();
        Predicate<ObjectKey> away = key -> {
            if (key.value().contains("/out/")) {
                back.compareAndSet(0, System.nanoTime() + Duration.ofSeconds(30).toNanos());
            }
            return back.get() != 0 && System.nanoTime() < back.get();
        };
        assertComplete(new Trouble(away, NEVER, NEVER));
        assertThat(back.get()).isNotZero();
    }

    private void assertComplete(Trouble trouble) throws Exception {
        byte[] blob = new byte[OUTPUT_BYTES];
        new Random(1).nextBytes(blob);
        Path file = Files.write(directory.resolve("blob"), blob);
        SystemScheduler scheduler = new SystemScheduler();
        SecureRandom random = new SecureRandom();
        Path root = directory.resolve("store");
        try (DirectoryObjectStore store = DirectoryObjectStore.open(root)) {
            RecordStore records = new RecordStore(store, scheduler, random);
            RecordRef ref = new RecordRef(Account.of("acme"), App.of("web"), Host.of("a.example.com"));
            new LocalRecords(store, records).ensure(ref, null, scheduler.now());
            LocalAgent agent = new LocalAgent(
                    new LocalBoxes(root).takeFree(),
                    new TroubledStore(store, trouble),
                    Claims.ALL,
                    AgentSettings.DEFAULTS,
                    scheduler,
                    random);
            agent.start();
            RunOrder order = new RunOrder(
                    ref,
                    List.of("sh", "-c", "cat " + file + "; cat " + file + " >&2"),
                    Duration.ofMinutes(5),
                    "test",
                    List.of());
            RunRequest request = ((SubmitOutcome.Queued)
                            new RunSubmitter(store, records, scheduler, random).submit(order, uploaded -> {}))
                    .request();
            agent.wake();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            FollowEnd end = new RunFollower(store, records, scheduler, Duration.ofMillis(100))
                    .follow(
                            ref,
                            request.id(),
                            1,
                            (seq, channel, bytes) -> (channel == OutputChannel.STDOUT ? out : err).write(bytes));
            agent.stop();

            assertThat(end).isInstanceOfSatisfying(FollowEnd.Ended.class, ended -> {
                assertThat(ended.result().interrupted()).isEmpty();
                assertThat(ended.result().exit()).isZero();
            });
            assertThat(out.toByteArray()).isEqualTo(blob);
            assertThat(err.toByteArray()).isEqualTo(blob);
        }
    }

    /**
     * What goes wrong with the calls for which keys; listings are told by their prefix.
     *
     * @param refuses before the write has done anything
     * @param unread before anything is read
     * @param loses the answer of a write that is done
     */
    private record Trouble(Predicate<ObjectKey> refuses, Predicate<ObjectKey> unread, Predicate<ObjectKey> loses) {}

    private record TroubledStore(ObjectStore store, Trouble trouble) implements ObjectStore {
        @Override
        public String put(ObjectKey key, byte[] value, Precondition precondition) {
            if (trouble.refuses().test(key)) {
                throw new StoreUnavailableException("put " + key + ": it was told to fail", null);
            }
            String etag = store.put(key, value, precondition);
            if (trouble.loses().test(key)) {
                throw new AmbiguousWriteException("put " + key + ": its answer was told to get lost", null);
            }
            return etag;
        }

        @Override
        public Optional<StoredObject> get(ObjectKey key) {
            throwIfUnread(key);
            return store.get(key);
        }

        @Override
        public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
            throwIfUnread(key);
            return store.getUnlessMatch(key, knownEtag);
        }

        @Override
        public void delete(ObjectKey key) {
            store.delete(key);
        }

        @Override
        public List<ListedObject> list(String prefix, String startAfter, int limit) {
            throwIfUnread(ObjectKey.of(prefix + "listed"));
            return store.list(prefix, startAfter, limit);
        }

        private void throwIfUnread(ObjectKey key) {
            if (trouble.unread().test(key)) {
                throw new StoreUnavailableException("get " + key + ": it was told to fail", null);
            }
        }
    }
}

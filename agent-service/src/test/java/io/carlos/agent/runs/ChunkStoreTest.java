package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.fleet.Fleet;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.time.Scheduler;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.ObjectKey;
import io.carlos.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChunkStoreTest {
    /** Others close a run out five minutes past its deadline; its box stops writing two minutes before. */
    private static final Duration LEASE_PAST_DEADLINE = Duration.ofMinutes(3);

    private final StoredRuns runs = new StoredRuns();
    private final Scheduler scheduler = runs.process().scheduler();
    private final Instant deadline = runs.now().plus(Duration.ofHours(1));
    private final ChunkStore chunks = new ChunkStore(
            runs.store(),
            scheduler,
            runs.keys(),
            new Lease(StoredRuns.ID, deadline, scheduler, Fleet.NONE, Optional::empty));
    private final ObjectKey key = runs.keys().chunk(1, OutputChannel.STDERR);

    @Test
    void a_chunk_is_stored_under_its_seq_and_stream() throws Exception {
        put("text");

        assertThat(stored()).isEqualTo("text");
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REFUSED")
    void a_put_that_fails_is_repeated_until_the_chunk_is_stored_once(Fault fault) throws Exception {
        runs.store().failNext(Call.PUT, fault);
        runs.store().failNext(Call.PUT, fault);

        put("text");

        assertThat(stored()).isEqualTo("text");
        assertThat(runs.written().keys()).containsExactly(key);
    }

    @Test
    void attempts_are_100_ms_apart_doubling_to_5_s() throws Exception {
        List<Instant> attempts = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            runs.store().beforeNext(Call.PUT, k -> true, () -> {
                attempts.add(runs.now());
                throw new StoreUnavailableException("told to fail", null);
            });
        }

        put("text");

        Instant start = attempts.getFirst();
        assertThat(attempts.stream().map(at -> Duration.between(start, at).toMillis()))
                .containsExactly(0L, 100L, 300L, 700L, 1500L, 3100L, 6300L, 11300L, 16300L);
    }

    @Test
    void a_conflict_with_our_own_bytes_was_an_attempt_whose_answer_was_lost() throws Exception {
        runs.putChunk(1, OutputChannel.STDERR, "text");

        put("text");

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_conflict_with_other_bytes_loses_the_lease_and_leaves_them() {
        runs.putChunk(1, OutputChannel.STDERR, "theirs");

        assertThatThrownBy(() -> put("text"))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("chunk 1")
                .hasMessageContaining(StoredRuns.ID.value());

        assertThat(stored()).isEqualTo("theirs");
    }

    @Test
    void a_conflict_that_cannot_be_looked_up_is_tried_again() throws Exception {
        runs.putChunk(1, OutputChannel.STDERR, "text");
        runs.store().failNext(Call.GET, Fault.UNAVAILABLE);

        put("text");

        assertThat(runs.store().outstanding()).isZero();
    }

    @Test
    void before_the_lease_ends_a_chunk_is_stored() throws Exception {
        runs.process().call(() -> {
            scheduler.sleep(Duration.ofHours(1).plus(LEASE_PAST_DEADLINE));
            return null;
        });

        put("text");

        assertThat(stored()).isEqualTo("text");
    }

    @Test
    void after_the_lease_nothing_is_put_any_more() throws Exception {
        runs.process().call(() -> {
            scheduler.sleep(Duration.ofHours(1).plus(LEASE_PAST_DEADLINE).plusNanos(1));
            return null;
        });

        assertThatThrownBy(() -> put("text")).isInstanceOf(LeaseLostException.class);

        assertThat(runs.store().count(Call.PUT)).isZero();
    }

    @Test
    void a_store_that_stays_away_is_asked_until_the_lease_ends() {
        runs.store().failAtRandom(1, 1.0, Fault.UNAVAILABLE);

        assertThatThrownBy(() -> put("text")).isInstanceOf(LeaseLostException.class);

        assertThat(runs.now())
                .isBetween(
                        deadline.plus(LEASE_PAST_DEADLINE),
                        deadline.plus(LEASE_PAST_DEADLINE).plusSeconds(5));
    }

    private void put(String text) throws Exception {
        Chunk chunk = new Chunk(1, OutputChannel.STDERR, text.getBytes(StandardCharsets.UTF_8));
        runs.process().call(() -> {
            chunks.put(chunk);
            return null;
        });
    }

    private String stored() {
        return new String(runs.objects().get(key).orElseThrow().value(), StandardCharsets.UTF_8);
    }
}

package io.carlos.model.runs;

import static io.carlos.model.runs.CollectedOutput.expected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.records.Records;
import io.carlos.model.testing.Seeded;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a follower hands on. */
class RunFollowerTest {
    private final StoredRuns runs = new StoredRuns();
    private final CollectedOutput output = new CollectedOutput();

    @BeforeEach
    void pick() {
        pick(runs);
    }

    @Test
    void a_run_without_output_ends_with_its_result() throws Exception {
        RunResult result = runs.putResult(3, 0);

        assertThat(follow(1)).isEqualTo(new FollowEnd.Ended(result));

        assertThat(output.chunks()).isEmpty();
    }

    @Test
    void all_chunks_come_in_order_and_then_the_result() throws Exception {
        CollectedOutput.write(runs, 1, 7);
        RunResult result = runs.putResult(0, 7);

        assertThat(follow(1)).isEqualTo(new FollowEnd.Ended(result));

        assertThat(output.chunks()).isEqualTo(expected(1, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 7, 8, 100})
    void chunks_come_from_the_seq_that_was_asked_for(int from) throws Exception {
        CollectedOutput.write(runs, 1, 7);
        runs.putResult(0, 7);

        follow(from);

        assertThat(output.chunks()).isEqualTo(expected(from, 7));
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 100, 101, 1000, 2345})
    void more_chunks_than_a_listing_has_come_in_order(int count) throws Exception {
        CollectedOutput.write(runs, 1, count);
        runs.putResult(0, count);

        follow(1);

        assertThat(output.chunks()).isEqualTo(expected(1, count));
    }

    @Test
    void chunks_past_the_last_seq_of_the_result_are_not_the_runs_output() throws Exception {
        CollectedOutput.write(runs, 1, 9);
        runs.putResult(0, 6);

        follow(1);

        assertThat(output.chunks()).isEqualTo(expected(1, 6));
    }

    @Test
    void a_chunk_that_is_seen_before_the_one_before_it_waits_for_that() throws Exception {
        CollectedOutput.write(runs, 1, 1);
        CollectedOutput.write(runs, 3, 3);
        runs.process().after(Duration.ofSeconds(30), () -> {
            assertThat(output.chunks()).isEqualTo(expected(1, 1));
            CollectedOutput.write(runs, 2, 2);
            runs.putResult(0, 3);
        });

        follow(1);

        assertThat(output.chunks()).isEqualTo(expected(1, 3));
    }

    @Test
    void a_growing_output_is_followed_to_its_end() throws Exception {
        growTo(runs, 50);

        assertThat(follow(1)).isInstanceOf(FollowEnd.Ended.class);

        assertThat(output.chunks()).isEqualTo(expected(1, 50));
    }

    @Test
    void a_chunk_is_handed_on_before_the_run_has_ended() throws Exception {
        CollectedOutput.write(runs, 1, 2);
        runs.process().after(Duration.ofSeconds(1), () -> {
            assertThat(output.chunks()).isEqualTo(expected(1, 2));
            runs.putResult(0, 2);
        });

        follow(1);
    }

    @Test
    void an_idle_run_is_looked_at_no_more_often_than_asked_for() throws Exception {
        runs.process().after(Duration.ofMinutes(10), () -> runs.putResult(0, 0));

        follow(1);

        assertThat(runs.store().count(Call.LIST)).isBetween(115, 135);
    }

    @Test
    void failures_of_the_store_make_no_gap_and_no_duplicate() {
        Seeded.check(40, random -> {
            StoredRuns world = new StoredRuns(
                    Records.of("a.example.com").withBox(StoredRuns.BOX), new OneProcess(random.nextLong()));
            pick(world);
            world.store().failAtRandom(random.nextLong(), 0.4, Fault.UNAVAILABLE);
            CollectedOutput seen = new CollectedOutput();
            growTo(world, 30);

            FollowEnd end = follow(world, 1, seen);

            assertThat(end).isInstanceOf(FollowEnd.Ended.class);
            assertThat(seen.chunks()).isEqualTo(expected(1, 30));
        });
    }

    @Test
    void two_followers_at_once_see_the_same() throws Exception {
        CollectedOutput second = new CollectedOutput();
        growTo(runs, 20);
        runs.process().fork("second", () -> follower(runs).follow(runs.ref(), StoredRuns.ID, 5, second));

        follow(1);

        assertThat(output.chunks()).isEqualTo(expected(1, 20));
        assertThat(second.chunks()).isEqualTo(expected(5, 20));
    }

    @Test
    void what_the_listener_throws_ends_the_following() {
        CollectedOutput.write(runs, 1, 5);
        runs.putResult(0, 5);

        assertThatThrownBy(() -> follow(runs, 1, output.failAfter(2)))
                .isInstanceOf(IOException.class)
                .hasMessage("the terminal is gone");

        assertThat(output.chunks()).isEqualTo(expected(1, 2));
    }

    @Test
    void a_second_follower_takes_up_where_the_first_had_to_end() throws Exception {
        growTo(runs, 10);
        assertThatThrownBy(() -> follow(runs, 1, output.failAfter(4))).isInstanceOf(IOException.class);

        follow(runs, 5, output.failAfter(Integer.MAX_VALUE));

        assertThat(output.chunks()).isEqualTo(expected(1, 10));
    }

    private static void pick(StoredRuns runs) {
        runs.queue(StoredRuns.ID);
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, Duration.ofHours(1));
    }

    /** Stores so many chunks, a random time from one to the next, and at last the result. */
    private static void growTo(StoredRuns runs, int count) {
        Random random = new Random(count);
        Scheduler scheduler = runs.process().scheduler();
        runs.process().fork("box", () -> {
            for (int seq = 1; seq <= count; seq++) {
                scheduler.sleep(Duration.ofMillis(random.nextInt(3000)));
                CollectedOutput.write(runs, seq, seq);
            }
            scheduler.sleep(Duration.ofMillis(random.nextInt(3000)));
            runs.putResult(0, count);
        });
    }

    private FollowEnd follow(long from) throws Exception {
        return follow(runs, from, output);
    }

    private static FollowEnd follow(StoredRuns runs, long from, FollowListener listener) throws Exception {
        return runs.process().call(() -> follower(runs).follow(runs.ref(), StoredRuns.ID, from, listener));
    }

    private static RunFollower follower(StoredRuns runs) {
        return new RunFollower(runs.store(), runs.records(), runs.process().scheduler(), Duration.ofSeconds(5));
    }
}

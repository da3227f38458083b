package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that hold less of a run than they should, or more. */
class RunFollowerGapTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final StoredRuns runs = new StoredRuns();
    private final CollectedOutput output = new CollectedOutput();

    @ParameterizedTest
    @ValueSource(strings = {"0", "0000000001-p", "0000000002", "0000000002-0", "zzz"})
    void a_key_that_is_no_chunk_is_in_nobodys_way(String stray) throws Exception {
        picked();
        CollectedOutput.write(runs, 1, 3);
        putStray(stray);
        RunResult result = runs.putResult(0, 3);

        assertThat(follow(1)).isEqualTo(new FollowEnd.Ended(result));

        assertThat(output.chunks()).isEqualTo(CollectedOutput.expected(1, 3));
    }

    @Test
    void more_strays_than_a_listing_has_rows_hide_no_chunk() throws Exception {
        picked();
        CollectedOutput.write(runs, 1, 2);
        for (int i = 0; i < 250; i++) {
            putStray("0000000001-z%03d".formatted(i));
        }
        RunResult result = runs.putResult(0, 2);

        assertThat(follow(1)).isEqualTo(new FollowEnd.Ended(result));

        assertThat(output.chunks()).isEqualTo(CollectedOutput.expected(1, 2));
    }

    @Test
    void a_chunk_that_the_result_names_and_the_store_lacks_ends_the_follow_as_incomplete() throws Exception {
        picked();
        CollectedOutput.write(runs, 1, 1);
        CollectedOutput.write(runs, 3, 3);
        RunResult result = runs.putResult(0, 3);

        assertThat(follow(1)).isEqualTo(new FollowEnd.Incomplete(result, 2));

        assertThat(output.chunks()).isEqualTo(CollectedOutput.expected(1, 1));
    }

    @Test
    void a_chunk_that_shows_up_a_little_after_the_result_is_shown_and_the_rest_too() throws Exception {
        picked();
        CollectedOutput.write(runs, 2, 3);
        RunResult result = runs.putResult(0, 3);
        runs.process().after(Duration.ofSeconds(3), () -> CollectedOutput.write(runs, 1, 1));

        assertThat(follow(1)).isEqualTo(new FollowEnd.Ended(result));

        assertThat(output.chunks()).isEqualTo(CollectedOutput.expected(1, 3));
    }

    @Test
    void a_follow_from_past_the_last_chunk_is_complete() throws Exception {
        picked();
        RunResult result = runs.putResult(0, 0);

        assertThat(follow(7)).isEqualTo(new FollowEnd.Ended(result));
    }

    @Test
    void a_record_that_says_finished_without_a_result_ends_the_follow() throws Exception {
        picked();
        runs.finish();

        assertThat(follow(1)).isInstanceOf(FollowEnd.Unknown.class).asString().contains("finished");
    }

    private void picked() {
        runs.queue(StoredRuns.ID);
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR);
    }

    private void putStray(String name) {
        runs.objects().put(ObjectKey.of(runs.keys().chunkPrefix() + name), new byte[] {1}, Precondition.CREATE_ONLY);
    }

    private FollowEnd follow(long from) throws Exception {
        RunFollower follower =
                new RunFollower(runs.store(), runs.records(), runs.process().scheduler(), Duration.ofSeconds(1));
        return runs.process().call(() -> follower.follow(runs.ref(), StoredRuns.ID, from, output));
    }
}

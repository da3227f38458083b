package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.runs.ActiveRun.Outcome;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How a follower sees a run end, and what it ends itself. */
class RunFollowerEndTest {
    /** When every simulation begins. */
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration HOUR = Duration.ofHours(1);

    private final StoredRuns runs = new StoredRuns();
    private final CollectedOutput output = new CollectedOutput();

    @Test
    void a_run_cancelled_while_queued_without_a_result_is_known_from_its_record() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.cancel();

        assertThat(follow()).isEqualTo(new FollowEnd.OverWhileQueued(Outcome.CANCELLED));
    }

    @Test
    void a_run_expired_while_queued_without_a_result_is_known_from_its_record() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.change(record ->
                RunTransitions.expire(record, StoredRuns.ID, runs.now().plusSeconds(61)));

        assertThat(follow()).isEqualTo(new FollowEnd.OverWhileQueued(Outcome.EXPIRED));
    }

    @Test
    void a_run_cancelled_while_queued_ends_with_its_result_when_there_is_one() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.cancel();
        RunResult result = runs.putResult(0, 0);

        assertThat(follow()).isEqualTo(new FollowEnd.Ended(result));
    }

    @Test
    void a_queued_run_that_no_box_picks_is_expired_after_its_minute() throws Exception {
        runs.queue(StoredRuns.ID);

        FollowEnd.Ended ended = (FollowEnd.Ended) follow();

        assertThat(ended.result().refused()).isEqualTo("expired");
        assertThat(ended.result().ended()).isBetween(START.plusSeconds(60), START.plusSeconds(70));
        assertThat(runs.run().outcome()).isEqualTo(Outcome.EXPIRED);
    }

    @Test
    void a_run_whose_box_went_away_is_closed_out_five_minutes_past_its_deadline() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR);
        CollectedOutput.write(runs, 1, 3);

        FollowEnd.Ended ended = (FollowEnd.Ended) follow();

        assertThat(ended.result().interrupted()).isEqualTo("the box went away");
        assertThat(ended.result().lastSeq()).isEqualTo(3);
        assertThat(ended.result().ended()).isBetween(START.plusSeconds(3915), START.plusSeconds(3925));
        assertThat(output.chunks()).isEqualTo(CollectedOutput.expected(1, 3));
        assertThat(runs.run().outcome()).isEqualTo(Outcome.FINISHED);
    }

    @Test
    void a_reader_whose_clock_is_twelve_minutes_ahead_ends_nothing_of_a_live_run() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.process()
                .after(Duration.ofSeconds(40), () -> runs.pick(StoredRuns.BOX, StoredRuns.BOOT, Duration.ofMinutes(2)));
        RunResult[] theirs = new RunResult[1];
        runs.process().after(Duration.ofMinutes(4), () -> {
            CollectedOutput.write(runs, 1, 2);
            theirs[0] = runs.putResult(7, 2);
            runs.finish();
        });
        RunFollower ahead = new RunFollower(
                runs.store(),
                runs.records(),
                runs.process().simulation().process("reader", Duration.ofMinutes(12)),
                Duration.ofSeconds(1));

        FollowEnd end = runs.process().call(() -> ahead.follow(runs.ref(), StoredRuns.ID, 1, output));

        assertThat(end).isEqualTo(new FollowEnd.Ended(theirs[0]));
        assertThat(output.chunks()).isEqualTo(CollectedOutput.expected(1, 2));
    }

    @Test
    void ending_a_run_is_tried_again_when_the_store_fails() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.store().failNext(Call.PUT, Fault.AMBIGUOUS_NOT_DONE);
        runs.store().failNext(Call.PUT, Fault.UNAVAILABLE);

        assertThat(follow()).isInstanceOf(FollowEnd.Ended.class);

        assertThat(runs.store().outstanding()).isZero();
    }

    @Test
    void ending_a_run_is_tried_again_when_others_change_its_record_all_the_time() throws Exception {
        runs.queue(StoredRuns.ID);
        for (int i = 0; i < 25; i++) {
            runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.CONFLICT);
        }

        assertThat(follow()).isInstanceOf(FollowEnd.Ended.class);
    }

    @Test
    void a_record_that_names_a_later_run_tells_nothing_of_this_one() throws Exception {
        runs.queue(StoredRuns.LATER_ID);

        assertThat(follow()).isInstanceOf(FollowEnd.Unknown.class).asString().contains("another run");
    }

    @Test
    void a_record_that_is_gone_tells_nothing() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.objects().delete(runs.ref().key());

        assertThat(follow()).isInstanceOf(FollowEnd.Unknown.class).asString().contains("gone");
    }

    @Test
    void a_run_that_ends_while_its_record_is_read_and_a_later_one_follows_still_ends_with_its_result()
            throws Exception {
        runs.queue(StoredRuns.ID);
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR);
        CollectedOutput.write(runs, 1, 1);
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {
            CollectedOutput.write(runs, 2, 2);
            runs.putResult(0, 2);
            runs.finish();
            runs.queue(StoredRuns.LATER_ID);
        });

        assertThat(follow()).isInstanceOf(FollowEnd.Ended.class);

        assertThat(output.chunks()).isEqualTo(CollectedOutput.expected(1, 2));
    }

    @Test
    void the_result_of_an_older_run_is_there_long_after_it() throws Exception {
        CollectedOutput.write(runs, 1, 2);
        RunResult result = runs.putResult(0, 2);
        runs.queue(StoredRuns.LATER_ID);

        assertThat(follow()).isEqualTo(new FollowEnd.Ended(result));
    }

    @Test
    void each_state_is_told_once_and_in_order() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.process().after(Duration.ofSeconds(10), () -> runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR));
        runs.process().after(Duration.ofSeconds(20), runs::cancel);
        runs.process().after(Duration.ofSeconds(30), () -> runs.putResult(0, 0));

        follow();

        assertThat(output.states()).containsExactly(State.QUEUED, State.PICKED, State.CANCEL);
    }

    @Test
    void a_seq_before_the_first_is_refused() {
        RunFollower follower = follower();

        assertThatThrownBy(() -> runs.process().call(() -> follower.follow(runs.ref(), StoredRuns.ID, 0, output)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private FollowEnd follow() throws Exception {
        RunFollower follower = follower();
        return runs.process().call(() -> follower.follow(runs.ref(), StoredRuns.ID, 1, output));
    }

    private RunFollower follower() {
        return new RunFollower(runs.store(), runs.records(), runs.process().scheduler(), Duration.ofSeconds(5));
    }
}

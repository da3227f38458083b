package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.runs.ActiveRun.Outcome;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.Transition.Refusal;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.StoreException;
import io.carlos.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunCloserTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final StoredRuns runs = new StoredRuns();
    private final RunCloser closer =
            new RunCloser(runs.store(), runs.records(), runs.process().scheduler());

    @Test
    void cancelling_a_queued_run_ends_it_and_stores_its_result_after_the_swap() throws Exception {
        runs.queue(StoredRuns.ID);

        assertApplied(cancel());

        assertThat(runs.run().outcome()).isEqualTo(Outcome.CANCELLED);
        assertThat(runs.result()).contains(RunResult.cancelledWhileQueued(runs.now()));
        assertThat(runs.written().keys())
                .containsExactly(runs.ref().key(), runs.keys().result());
    }

    @Test
    void cancelling_a_picked_run_asks_its_box_and_stores_no_result() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR);

        assertApplied(cancel());

        assertThat(runs.run().state()).isEqualTo(State.CANCEL);
        assertThat(runs.result()).isEmpty();
    }

    @Test
    void cancelling_a_run_that_is_picked_in_between_asks_its_box() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.store().beforeNext(Call.PUT, key -> true, () -> runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR));

        assertApplied(cancel());

        assertThat(runs.run().state()).isEqualTo(State.CANCEL);
        assertThat(runs.result()).isEmpty();
    }

    @Test
    void a_second_cancel_of_a_picked_run_writes_nothing() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR);
        runs.cancel();

        assertApplied(cancel());

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_second_cancel_of_a_queued_run_stores_the_result_that_the_first_could_not() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.cancel();

        assertApplied(cancel());

        assertThat(runs.result()).contains(RunResult.cancelledWhileQueued(runs.now()));
        assertThat(runs.written().keys()).containsExactly(runs.keys().result());
    }

    @Test
    void a_run_that_is_done_is_not_cancelled() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR);
        runs.finish();

        assertRefused(cancel(), Refusal.OTHER_STATE);

        assertThat(runs.result()).isEmpty();
    }

    @Test
    void a_run_that_is_not_the_newest_is_not_cancelled() throws Exception {
        runs.queue(StoredRuns.LATER_ID);

        assertRefused(cancel(), Refusal.OTHER_RUN);

        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
    }

    @Test
    void a_queued_run_in_time_is_not_expired() throws Exception {
        runs.queue(StoredRuns.ID);

        assertRefused(expire(Duration.ofSeconds(60)), Refusal.IN_TIME);

        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
        assertThat(runs.result()).isEmpty();
    }

    @Test
    void a_queued_run_past_its_deadline_expires_and_then_has_a_result() throws Exception {
        runs.queue(StoredRuns.ID);

        assertApplied(expire(Duration.ofSeconds(61)));

        assertThat(runs.run().outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(runs.result()).contains(RunResult.expired(runs.now()));
        assertThat(runs.written().keys())
                .filteredOn(key -> !key.value().startsWith("clock/"))
                .containsExactly(runs.ref().key(), runs.keys().result());
    }

    @Test
    void a_queued_run_in_time_is_not_expired_by_a_clock_that_is_ahead() throws Exception {
        runs.queue(StoredRuns.ID);
        RunCloser ahead = closerAheadBy(Duration.ofSeconds(90));

        assertRefused(runs.process().call(() -> ahead.expire(runs.ref(), StoredRuns.ID)), Refusal.IN_TIME);

        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
    }

    @Test
    void a_run_of_a_live_box_is_not_closed_out_by_a_clock_that_is_ahead() throws Exception {
        picked();
        RunCloser ahead = closerAheadBy(HOUR.plus(Duration.ofMinutes(12)));

        assertRefused(runs.process().call(() -> ahead.closeOutAbandoned(runs.ref(), runs.run())), Refusal.IN_TIME);

        assertThat(runs.run().attempt()).isEqualTo("attempt");
        assertThat(runs.result()).isEmpty();
    }

    @Test
    void an_abandoned_run_whose_box_is_back_just_then_is_left_to_it() throws Exception {
        ActiveRun seen = picked().run().orElseThrow();
        Duration gone = HOUR.plus(RunCloser.ABANDONED_AFTER).plusSeconds(1);
        runs.process()
                .after(
                        gone.plusSeconds(6),
                        () -> runs.change(record -> RunTransitions.renew(
                                record,
                                StoredRuns.ID,
                                StoredRuns.BOX,
                                StoredRuns.BOOT,
                                "attempt",
                                runs.now().plus(HOUR))));

        ChangeOutcome outcome = runs.process().call(() -> {
            runs.process().scheduler().sleep(gone);
            return closer.closeOutAbandoned(runs.ref(), seen);
        });

        assertRefused(outcome, Refusal.OTHER_STATE);
        assertThat(runs.result()).isEmpty();
    }

    @Test
    void a_picked_run_is_never_expired() throws Exception {
        runs.queue(StoredRuns.ID);
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR);

        assertRefused(expire(HOUR.multipliedBy(9)), Refusal.OTHER_STATE);
    }

    @Test
    void closing_out_takes_the_run_then_stores_the_result_and_then_the_record_says_done() throws Exception {
        InstanceRecord picked = picked();

        assertApplied(closeOut(picked));

        assertThat(runs.run().outcome()).isEqualTo(Outcome.FINISHED);
        assertThat(runs.written().keys())
                .containsExactly(
                        runs.ref().key(), runs.keys().result(), runs.ref().key());
    }

    @Test
    void a_run_that_is_being_closed_out_is_no_longer_its_attempts_when_its_output_is_listed() throws Exception {
        InstanceRecord picked = picked();
        ActiveRun[] listed = new ActiveRun[1];
        runs.store().beforeNext(Call.LIST, prefix -> true, () -> listed[0] = runs.run());

        closeOut(picked);

        assertThat(listed[0].isPickedBy(StoredRuns.BOX, StoredRuns.BOOT, "attempt"))
                .isFalse();
        assertThat(listed[0].state()).isEqualTo(State.PICKED);
    }

    @Test
    void a_run_that_was_renewed_meanwhile_is_not_closed_out() throws Exception {
        InstanceRecord picked = picked();
        Instant later = runs.now().plus(HOUR).plus(HOUR);
        runs.change(record ->
                RunTransitions.renew(record, StoredRuns.ID, StoredRuns.BOX, StoredRuns.BOOT, "attempt", later));

        assertRefused(closeOut(picked), Refusal.OTHER_STATE);

        assertThat(runs.result()).isEmpty();
        assertThat(runs.run().attempt()).isEqualTo("attempt");
    }

    @Test
    void a_closer_that_died_before_its_result_is_followed_by_another() throws Exception {
        InstanceRecord picked = picked();
        runs.store().failNext(Call.LIST, Fault.UNAVAILABLE);
        assertThatThrownBy(() -> closeOut(picked)).isInstanceOf(StoreException.class);

        assertApplied(closeOut(runs.record()));

        assertThat(result().interrupted()).isEqualTo("the box went away");
        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void closing_out_says_why_and_which_box_it_was() throws Exception {
        closeOut(picked());

        assertThat(result().interrupted()).isEqualTo("the box went away");
        assertThat(result().box()).isEqualTo(StoredRuns.BOX);
        assertThat(result().cancelled()).isFalse();
        assertThat(result().detail()).isEqualTo("no output is stored");
    }

    @Test
    void closing_out_a_run_whose_cancel_was_asked_for_says_that_too() throws Exception {
        picked();

        closeOut(runs.cancel());

        assertThat(result().cancelled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1000, 1001, 2000, 2500})
    void closing_out_names_the_last_chunk_however_many_there_are(int chunks) throws Exception {
        InstanceRecord picked = picked();
        for (int seq = 1; seq <= chunks; seq++) {
            runs.putChunk(seq, seq % 3 == 0 ? OutputChannel.STDERR : OutputChannel.STDOUT, "x");
        }

        closeOut(picked);

        assertThat(result().lastSeq()).isEqualTo(chunks);
    }

    @Test
    void closing_out_a_run_that_has_a_result_leaves_that_one() throws Exception {
        InstanceRecord picked = picked();
        RunResult first = runs.putResult(7, 0);

        assertApplied(closeOut(picked));

        assertThat(runs.result()).contains(first);
        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void closing_out_with_a_lost_answer_of_the_result_goes_on() throws Exception {
        InstanceRecord picked = picked();
        runs.store().failNext(Call.PUT, key -> key.endsWith("result.json"), Fault.AMBIGUOUS_DONE);

        assertApplied(closeOut(picked));

        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"UNAVAILABLE", "AMBIGUOUS_NOT_DONE", "CONFLICT"})
    void without_a_durable_result_the_record_is_not_done(Fault fault) {
        InstanceRecord picked = picked();
        runs.store().failNext(Call.PUT, key -> key.endsWith("result.json"), fault);

        assertThatThrownBy(() -> closeOut(picked)).isInstanceOf(StoreException.class);

        assertThat(runs.run().state()).isEqualTo(State.PICKED);
    }

    @Test
    void closing_out_again_after_a_failure_ends_the_run() throws Exception {
        InstanceRecord picked = picked();
        runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.UNAVAILABLE);
        assertThatThrownBy(() -> closeOut(picked)).isInstanceOf(StoreUnavailableException.class);

        assertApplied(closeOut(picked));

        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void a_held_run_is_abandoned_five_minutes_after_its_deadline_and_not_before() {
        ActiveRun picked = picked().run().orElseThrow();
        Instant limit = picked.deadline().plus(Duration.ofMinutes(5));

        assertThat(RunCloser.isAbandoned(picked, limit)).isFalse();
        assertThat(RunCloser.isAbandoned(picked, limit.plusNanos(1))).isTrue();
        assertThat(RunCloser.isAbandoned(runs.cancel().run().orElseThrow(), limit.plusNanos(1)))
                .isTrue();
    }

    @Test
    void a_run_that_no_box_holds_is_not_abandoned() {
        runs.queue(StoredRuns.ID);
        Instant late = runs.now().plus(Duration.ofDays(9));

        assertThat(RunCloser.isAbandoned(runs.run(), late)).isFalse();
        assertThat(RunCloser.isAbandoned(runs.cancel().run().orElseThrow(), late))
                .isFalse();
    }

    private RunCloser closerAheadBy(Duration skew) {
        return new RunCloser(
                runs.store(), runs.records(), runs.process().simulation().process("ahead", skew));
    }

    private InstanceRecord picked() {
        runs.queue(StoredRuns.ID);
        return runs.pick(StoredRuns.BOX, StoredRuns.BOOT, HOUR);
    }

    private RunResult result() {
        return runs.result().orElseThrow();
    }

    private ChangeOutcome cancel() throws Exception {
        return runs.process().call(() -> closer.cancel(runs.ref(), StoredRuns.ID));
    }

    private ChangeOutcome expire(Duration later) throws Exception {
        return runs.process().call(() -> {
            runs.process().scheduler().sleep(later);
            return closer.expire(runs.ref(), StoredRuns.ID);
        });
    }

    private ChangeOutcome closeOut(InstanceRecord record) throws Exception {
        ActiveRun run = record.run().orElseThrow();
        return runs.process().call(() -> closer.closeOut(record.ref(), run, "the box went away"));
    }

    private static void assertApplied(ChangeOutcome outcome) {
        assertThat(outcome).isInstanceOf(ChangeOutcome.Applied.class);
    }

    private static void assertRefused(ChangeOutcome outcome, Refusal reason) {
        assertThat(outcome).isInstanceOf(ChangeOutcome.Refused.class);
        assertThat(((ChangeOutcome.Refused) outcome).reason()).isEqualTo(reason);
    }
}

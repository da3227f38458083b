package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.BoxIdentity;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.runs.Transition;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunDecisionTest {
    private static final Instant DEADLINE = Instant.parse("2026-01-02T03:05:00Z");
    private static final Instant END = DEADLINE.plusSeconds(3600);
    private static final RunId ID = RunId.of("run_" + "a".repeat(26));
    private static final BoxIdentity ME = new BoxIdentity("me", "boot-2", "r1", List.of());
    private static final InstanceRecord QUEUED =
            changed(RunTransitions.admit(Records.of("a.example.com").withBox("me"), ID, "ann", DEADLINE));

    @Test
    void a_queued_run_in_time_on_our_host_is_picked() {
        assertThat(decide(QUEUED, false, DEADLINE)).isInstanceOf(RunDecision.Pick.class);
    }

    @Test
    void a_queued_run_on_a_host_that_is_anothers_nobodys_or_trashed_is_left_alone() {
        assertThat(decide(QUEUED.withBox("other"), false, DEADLINE)).isInstanceOf(RunDecision.LeaveAlone.class);
        assertThat(decide(QUEUED.withBox(null), false, DEADLINE)).isInstanceOf(RunDecision.LeaveAlone.class);
        assertThat(decide(QUEUED.withTrashedAt(DEADLINE), false, DEADLINE)).isInstanceOf(RunDecision.LeaveAlone.class);
    }

    @Test
    void a_queued_run_past_its_deadline_is_expired_by_any_box() {
        Instant late = DEADLINE.plusNanos(1);

        assertThat(decide(QUEUED, false, late)).isInstanceOf(RunDecision.Expire.class);
        assertThat(decide(QUEUED.withBox("other"), false, late)).isInstanceOf(RunDecision.Expire.class);
    }

    @Test
    void a_queued_run_whose_pick_is_under_way_here_is_left_alone() {
        assertThat(decide(QUEUED, true, DEADLINE)).isInstanceOf(RunDecision.LeaveAlone.class);
        assertThat(decide(QUEUED, true, DEADLINE.plusSeconds(9))).isInstanceOf(RunDecision.LeaveAlone.class);
    }

    @Test
    void a_run_executing_here_is_left_alone_until_somebody_cancels_it() {
        InstanceRecord picked = picked("me", "boot-2");

        assertThat(decide(picked, true, END)).isInstanceOf(RunDecision.LeaveAlone.class);
        assertThat(decide(cancelled(picked), true, END)).isInstanceOf(RunDecision.ForwardCancel.class);
    }

    @Test
    void a_run_of_an_earlier_boot_is_closed_out_and_never_picked_again() {
        InstanceRecord picked = picked("me", "boot-1");

        assertThat(decide(picked, false, DEADLINE)).isEqualTo(new RunDecision.CloseOut("the box's agent restarted"));
        assertThat(decide(cancelled(picked), false, DEADLINE))
                .isEqualTo(new RunDecision.CloseOut("the box's agent restarted"));
    }

    @Test
    void a_run_picked_by_this_boot_that_nobody_here_executes_is_closed_out() {
        assertThat(decide(picked("me", "boot-2"), false, DEADLINE)).isEqualTo(new RunDecision.CloseOut("start failed"));
    }

    @Test
    void a_run_of_another_box_is_left_alone_until_it_is_abandoned() {
        InstanceRecord picked = picked("other", "boot-9");
        Instant abandoned = END.plus(RunCloser.ABANDONED_AFTER);

        assertThat(decide(picked, false, abandoned)).isInstanceOf(RunDecision.LeaveAlone.class);
        assertThat(decide(picked, false, abandoned.plusNanos(1))).isInstanceOf(RunDecision.CloseOutAbandoned.class);
    }

    @Test
    void a_run_that_a_lost_box_has_on_a_record_of_ours_is_closed_out_at_once() {
        InstanceRecord taken = picked("other", "boot-9").withBox("me");

        assertThat(RunDecision.decide(taken, taken.run().orElseThrow(), ME, false, true, DEADLINE))
                .isEqualTo(new RunDecision.CloseOut("the box went away"));
        assertThat(decide(taken, false, DEADLINE)).isInstanceOf(RunDecision.LeaveAlone.class);
    }

    @Test
    void a_run_that_is_done_is_left_alone() {
        InstanceRecord done = changed(RunTransitions.finish(picked("me", "boot-2"), ID));

        assertThat(decide(done, false, END)).isInstanceOf(RunDecision.LeaveAlone.class);
    }

    private static RunDecision decide(InstanceRecord record, boolean here, Instant now) {
        ActiveRun run = record.run().orElseThrow();
        return RunDecision.decide(record, run, ME, here, false, now);
    }

    private static InstanceRecord picked(String box, String boot) {
        return changed(RunTransitions.pick(QUEUED.withBox(box), ID, box, boot, "attempt", DEADLINE, END));
    }

    private static InstanceRecord cancelled(InstanceRecord record) {
        return changed(RunTransitions.cancel(record, ID));
    }

    private static InstanceRecord changed(Transition transition) {
        return ((Transition.Changed) transition).record();
    }
}

package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun.Outcome;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.Transition.Refusal;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The two changes that decide between the box that executes a run and somebody who closes it out: one of them wins. */
class HeldRunTransitionsTest {
    private static final Instant END = Instant.parse("2026-01-02T04:00:00Z");
    private static final Instant PICK = END.minusSeconds(3600);
    private static final Instant LATER = END.plusSeconds(300);
    private static final RunId ID = RunId.of("run_" + "a".repeat(26));
    private static final RunId OTHER = RunId.of("run_" + "b".repeat(26));
    private static final ActiveRun QUEUED = ActiveRun.queued(ID, "ann", END.minusSeconds(3600));
    private static final ActiveRun PICKED = QUEUED.picked("box", "boot", "attempt", PICK, END);

    static Stream<ActiveRun> held() {
        return Stream.of(PICKED, PICKED.cancelling());
    }

    static Stream<ActiveRun> notHeld() {
        return Stream.of(
                QUEUED, QUEUED.done(Outcome.CANCELLED), QUEUED.done(Outcome.EXPIRED), PICKED.done(Outcome.FINISHED));
    }

    @ParameterizedTest
    @MethodSource("held")
    void a_renewal_by_the_holder_moves_the_deadline_and_nothing_else(ActiveRun run) {
        ActiveRun renewed = changed(renew(run, "attempt", LATER));

        assertThat(renewed)
                .isEqualTo(new ActiveRun(
                        ID, run.state(), null, "ann", LATER, "box", "boot", "attempt", PICK, run.others()));
    }

    @Test
    void a_renewal_never_brings_the_deadline_forward() {
        assertThat(renew(PICKED, "attempt", END.minusSeconds(1))).isInstanceOf(Transition.Already.class);
    }

    @Test
    void a_renewal_by_another_attempt_is_refused() {
        assertRefused(renew(PICKED, "before", LATER), Refusal.OTHER_STATE);
    }

    @ParameterizedTest
    @MethodSource("notHeld")
    void a_run_that_nobody_holds_is_neither_renewed_nor_taken(ActiveRun run) {
        assertRefused(renew(run, "attempt", LATER), Refusal.OTHER_STATE);
        assertRefused(take(run, PICKED, "closer"), Refusal.OTHER_STATE);
    }

    @ParameterizedTest
    @MethodSource("held")
    void a_taking_puts_the_closer_in_place_of_the_attempt_and_changes_nothing_else(ActiveRun run) {
        ActiveRun taken = changed(take(run, run, "closer"));

        assertThat(taken)
                .isEqualTo(
                        new ActiveRun(ID, run.state(), null, "ann", END, "box", "boot", "closer", PICK, run.others()));
    }

    @Test
    void after_a_taking_the_attempt_neither_renews_nor_is_it_taken_by_who_saw_it_before() {
        ActiveRun taken = changed(take(PICKED, PICKED, "closer"));

        assertRefused(renew(taken, "attempt", LATER), Refusal.OTHER_STATE);
        assertRefused(take(taken, PICKED, "late closer"), Refusal.OTHER_STATE);
        assertThat(take(taken, PICKED, "closer")).isInstanceOf(Transition.Already.class);
    }

    @Test
    void after_a_renewal_who_saw_the_run_before_does_not_take_it() {
        ActiveRun renewed = changed(renew(PICKED, "attempt", LATER));

        assertRefused(take(renewed, PICKED, "closer"), Refusal.OTHER_STATE);
    }

    @Test
    void a_closer_that_died_is_followed_by_one_that_saw_its_taking() {
        ActiveRun taken = changed(take(PICKED, PICKED, "closer"));

        assertThat(changed(take(taken, taken, "next")).attempt()).isEqualTo("next");
    }

    @Test
    void a_cancel_that_came_since_the_look_keeps_nobody_from_taking_the_run() {
        ActiveRun taken = changed(take(PICKED.cancelling(), PICKED, "closer"));

        assertThat(taken.state()).isEqualTo(State.CANCEL);
    }

    @Test
    void another_run_is_neither_renewed_nor_taken() {
        ActiveRun other = ActiveRun.queued(OTHER, "ann", END).picked("box", "boot", "attempt", PICK, END);

        assertRefused(renew(other, "attempt", LATER), Refusal.OTHER_RUN);
        assertRefused(take(other, PICKED, "closer"), Refusal.OTHER_RUN);
    }

    private static Transition renew(ActiveRun run, String attempt, Instant deadline) {
        return RunTransitions.renew(record(run), ID, "box", "boot", attempt, deadline);
    }

    private static Transition take(ActiveRun run, ActiveRun seen, String closer) {
        return RunTransitions.takeForClosing(record(run), seen, closer);
    }

    private static InstanceRecord record(ActiveRun run) {
        return Records.of("bill.example.com").withBox("box").withActiveRun(run);
    }

    private static ActiveRun changed(Transition transition) {
        return ((Transition.Changed) transition).record().run().orElseThrow();
    }

    private static void assertRefused(Transition transition, Refusal reason) {
        assertThat(transition).isInstanceOf(Transition.Refused.class);
        assertThat(((Transition.Refused) transition).reason()).isEqualTo(reason);
    }
}

package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.RunId;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler.Task;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunsInHandTest {
    private static final RunId RUN = RunId.of("run_" + "a".repeat(26));
    private static final RunId OTHER = RunId.of("run_" + "b".repeat(26));
    private static final Duration BOUND = Duration.ofSeconds(45);

    private final OneProcess process = new OneProcess();
    private final RunsInHand<String> inHand = new RunsInHand<>(process.scheduler());
    private final Task task = new UntouchedTask();

    @Test
    void a_run_that_is_executing_does_not_begin_again_until_it_has_ended() {
        assertThat(inHand.beginExecution(RUN, "first")).isTrue();
        assertThat(inHand.beginExecution(RUN, "second")).isFalse();
        assertThat(inHand.execution(RUN)).contains("first");

        inHand.endExecution(RUN);

        assertThat(inHand.beginExecution(RUN, "second")).isTrue();
    }

    @Test
    void a_run_that_is_closing_does_not_begin_again_until_it_has_ended() {
        assertThat(inHand.beginClosing(RUN)).isTrue();
        assertThat(inHand.beginClosing(RUN)).isFalse();

        inHand.endClosing(RUN);

        assertThat(inHand.beginClosing(RUN)).isTrue();
    }

    @Test
    void the_end_of_a_closing_leaves_the_same_run_executing_and_the_other_way_round() {
        inHand.beginClosing(RUN);
        inHand.beginExecution(RUN, "first");
        inHand.endClosing(RUN);
        assertThat(inHand.executing()).containsExactly(RUN);

        inHand.beginClosing(RUN);
        inHand.endExecution(RUN);
        assertThat(inHand.closing()).containsExactly(RUN);
    }

    @Test
    void after_a_refusal_nothing_begins_and_what_had_begun_was_returned() {
        inHand.beginExecution(RUN, "first");

        assertThat(inHand.refuseMore()).containsExactly("first");

        assertThat(inHand.beginExecution(OTHER, "second")).isFalse();
        assertThat(inHand.beginClosing(OTHER)).isFalse();
    }

    @Test
    void giving_up_returns_the_tasks_that_are_known_and_refuses_one_that_becomes_known_later() {
        inHand.beginExecution(RUN, "first");
        inHand.beginExecution(OTHER, "second");
        assertThat(inHand.started(RUN, "first", task)).isTrue();

        assertThat(inHand.giveUp()).containsExactly(task);

        assertThat(inHand.started(OTHER, "second", new UntouchedTask())).isFalse();
    }

    @Test
    void a_task_that_becomes_known_after_its_execution_ended_is_not_taken_for_that_of_the_next() {
        inHand.beginExecution(RUN, "first");
        inHand.endExecution(RUN);
        inHand.beginExecution(RUN, "second");

        assertThat(inHand.started(RUN, "first", task)).isTrue();

        assertThat(inHand.giveUp()).isEmpty();
    }

    @Test
    void a_wait_returns_at_the_last_end_of_both_kinds() throws Exception {
        inHand.beginExecution(RUN, "first");
        inHand.beginClosing(OTHER);
        process.after(Duration.ofSeconds(10), () -> inHand.endExecution(RUN));
        process.after(Duration.ofSeconds(20), () -> inHand.endClosing(OTHER));

        assertThat(process.call(() -> inHand.awaitNone(BOUND))).isTrue();

        assertThat(process.scheduler().nanoTime())
                .isEqualTo(Duration.ofSeconds(20).toNanos());
    }

    @Test
    void a_wait_for_what_does_not_end_returns_at_its_bound() throws Exception {
        inHand.beginExecution(RUN, "first");

        assertThat(process.call(() -> inHand.awaitNone(BOUND))).isFalse();

        assertThat(process.scheduler().nanoTime()).isEqualTo(BOUND.toNanos());
    }

    private static final class UntouchedTask implements Task {
        @Override
        public void interrupt() {
            throw new AssertionError("interrupting is the caller's");
        }

        @Override
        public void join() {
            throw new AssertionError("joining is the caller's");
        }
    }
}

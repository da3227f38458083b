package io.carlos.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.time.OneProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LogBudgetTest {
    private final OneProcess process = new OneProcess();
    private final LogBudget budget =
            new LogBudget(new LogLimits(10, 1_000, Duration.ofSeconds(2), 1, 1), process.scheduler());

    @Test
    void what_fits_the_burst_is_not_waited_for() {
        assertThat(budget.take(1_000, 1)).isZero();
        assertThat(budget.take(1_000, 1)).isZero();
    }

    @Test
    void bytes_over_the_burst_are_waited_for_at_the_rate() {
        assertThat(budget.take(5_000, 1)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void lines_over_the_burst_are_waited_for_at_the_rate() {
        assertThat(budget.take(1, 50)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void waiting_fills_the_bucket_again() throws Exception {
        budget.take(5_000, 1);

        pass(Duration.ofSeconds(4));

        assertThat(budget.take(1_000, 1)).isZero();
        assertThat(budget.take(500, 1)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void silence_saves_up_no_more_than_the_burst() throws Exception {
        pass(Duration.ofMinutes(5));

        assertThat(budget.take(3_000, 1)).isEqualTo(Duration.ofSeconds(1));
    }

    private void pass(Duration time) throws Exception {
        process.call(() -> {
            process.scheduler().sleep(time);
            return null;
        });
    }
}

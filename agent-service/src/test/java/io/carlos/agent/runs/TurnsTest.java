package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.time.OneProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final OneProcess process = new OneProcess();
    private final Turns turns = new Turns(process.scheduler(), 2);
    private int atIt;
    private int most;

    @Test
    void five_of_whom_two_may_at_a_time_take_three_times_as_long_as_one() {
        for (int i = 0; i < 5; i++) {
            process.fork("caller", this::takeATurn);
        }

        process.run(Duration.ofHours(1));

        assertThat(most).isEqualTo(2);
        assertThat(atIt).isZero();
        assertThat(process.scheduler().nanoTime())
                .isEqualTo(MINUTE.multipliedBy(3).toNanos());
    }

    @Test
    void one_that_is_interrupted_while_it_waits_leaves_its_turn_to_the_others() {
        process.fork("first", this::takeATurn);
        process.fork("second", this::takeATurn);
        process.run(Duration.ofSeconds(1));
        boolean[] interrupted = new boolean[1];
        var waiting = process.scheduler().fork("waits", () -> {
            try {
                turns.begin();
            } catch (InterruptedException e) {
                interrupted[0] = true;
            }
        });
        process.run(Duration.ofSeconds(1));
        process.fork("interrupts", waiting::interrupt);
        process.run(Duration.ofSeconds(1));

        process.fork("third", this::takeATurn);
        process.run(Duration.ofHours(1));

        assertThat(interrupted).containsExactly(true);
        assertThat(most).isEqualTo(2);
        assertThat(atIt).isZero();
    }

    private void takeATurn() throws InterruptedException {
        turns.begin();
        most = Math.max(most, ++atIt);
        process.scheduler().sleep(MINUTE);
        atIt--;
        turns.end();
    }
}

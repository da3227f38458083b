package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DiscardPaceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MEBIBYTE = 1024 * 1024;

    /** The clock comes to its largest number a second after the start, and goes on from the smallest. */
    private static final long START = Long.MAX_VALUE - SECOND;

    private final DiscardPace pace = new DiscardPace(START);

    @Test
    void four_mebibytes_take_a_second() {
        assertThat(pace.take(4 * MEBIBYTE, START)).isEqualTo(SECOND);
    }

    @Test
    void who_comes_before_the_others_time_is_over_waits_for_that_too() {
        assertThat(pace.take(4 * MEBIBYTE, START)).isEqualTo(SECOND);
        assertThat(pace.take(4 * MEBIBYTE, START + SECOND / 2)).isEqualTo(SECOND + SECOND / 2);
    }

    @Test
    void time_in_which_nothing_was_printed_is_not_made_up_for() {
        assertThat(pace.take(4 * MEBIBYTE, START + 10 * SECOND)).isEqualTo(SECOND);
        assertThat(pace.take(4 * MEBIBYTE, START + 20 * SECOND)).isEqualTo(SECOND);
    }

    @Test
    void a_byte_takes_as_long_as_4_KiB() {
        assertThat(pace.take(1, START)).isEqualTo(SECOND / 1024);
    }
}

package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.fleet.Fleet;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler;
import io.carlos.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaseTest {
    /** After which nobody else may take the run for five minutes more. */
    private static final Duration TIME = Duration.ofMinutes(10);

    private static final Duration LENGTH = TIME.plus(Duration.ofMinutes(3));

    private final OneProcess process = new OneProcess();
    private final Scheduler scheduler = process.scheduler();
    private final Instant start = scheduler.now();
    private boolean permitted = true;
    private int renewals;
    private int failures;
    private boolean taken;
    private boolean revoked;
    private final Lease lease = new Lease(StoredRuns.ID, start.plus(TIME), scheduler, new ToldFleet(), this::renew);

    /** What this test says of the box. */
    private final class ToldFleet implements Fleet {
        @Override
        public boolean mayWrite() {
            return permitted;
        }

        @Override
        public boolean isRevoked() {
            return revoked;
        }
    }

    @Test
    void until_two_minutes_before_others_may_take_the_run_nothing_is_renewed() throws Exception {
        assertThat(ensureAfter(LENGTH)).isEqualTo(start.plus(LENGTH));

        assertThat(renewals).isZero();
    }

    @Test
    void from_then_on_it_is_renewed_once_and_holds_as_long_again() throws Exception {
        ensureAfter(LENGTH.plusNanos(1));
        ensureAfter(LENGTH);

        assertThat(renewals).isEqualTo(1);
    }

    @Test
    void a_run_that_was_taken_is_lost() {
        taken = true;

        assertThatThrownBy(() -> ensureAfter(LENGTH.plusNanos(1))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_renewal_that_the_store_fails_is_tried_again_until_it_is_known() throws Exception {
        failures = 100;

        Instant held = ensureAfter(LENGTH.plusNanos(1));

        assertThat(renewals).isEqualTo(101);
        assertThat(held).isAfter(start.plus(LENGTH).plus(Duration.ofMinutes(7)));
    }

    @Test
    void without_the_permit_nothing_is_written_until_it_is_there_again_and_the_run_is_renewed() throws Exception {
        permitted = false;
        process.after(Duration.ofMinutes(2), () -> permitted = true);

        Instant held = ensureAfter(Duration.ZERO);

        assertThat(held).isBetween(start.plus(Duration.ofMinutes(2)), start.plus(Duration.ofSeconds(121)));
        assertThat(renewals).isEqualTo(1);
    }

    @Test
    void a_run_that_was_taken_while_there_was_no_permit_is_lost() {
        permitted = false;
        taken = true;
        process.after(Duration.ofSeconds(10), () -> permitted = true);

        assertThatThrownBy(() -> ensureAfter(Duration.ZERO)).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void a_run_whose_box_was_taken_for_lost_is_lost_without_a_question_to_the_store() {
        permitted = false;
        process.after(Duration.ofSeconds(10), () -> revoked = true);

        assertThatThrownBy(() -> ensureAfter(Duration.ZERO))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("lost with its box");

        assertThat(scheduler.now()).isBetween(start.plusSeconds(10), start.plusSeconds(11));
        assertThat(renewals).isZero();
    }

    private Instant ensureAfter(Duration delay) throws Exception {
        return process.call(() -> {
            if (delay.isPositive()) {
                process.simulation().pause(delay);
            }
            lease.ensure();
            return scheduler.now();
        });
    }

    private Optional<Instant> renew() {
        renewals++;
        if (failures-- > 0) {
            throw new StoreUnavailableException("told to fail", null);
        }
        return taken ? Optional.empty() : Optional.of(scheduler.now().plus(TIME));
    }
}

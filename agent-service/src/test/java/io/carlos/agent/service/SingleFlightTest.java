package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SingleFlightTest {
    private static final InstanceRecord FIRST = Records.of("a.example.com");
    private static final InstanceRecord SECOND = FIRST.withBox("second");
    private static final InstanceRecord THIRD = FIRST.withBox("third");
    private static final InstanceRecord OTHER = Records.of("b.example.com");

    private final BlockingQueue<InstanceRecord> acted = new LinkedBlockingQueue<>();
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** Hangs at the first record until it may go on. */
    private final SingleFlight flight = new SingleFlight(record -> {
        acted.add(record);
        if (record == FIRST) {
            await(goOn);
        }
    });

    @Test
    void while_one_hangs_the_newest_of_its_record_waits_and_the_caller_does_not() throws Exception {
        Thread hanging = Thread.ofVirtual().start(() -> flight.act(FIRST));
        assertThat(next()).isSameAs(FIRST);

        flight.act(SECOND);
        flight.act(THIRD);
        assertThat(acted).isEmpty();
        goOn.countDown();
        hanging.join();

        assertThat(List.copyOf(acted)).containsExactly(THIRD);
    }

    @Test
    void while_one_hangs_others_are_acted_on() throws Exception {
        Thread hanging = Thread.ofVirtual().start(() -> flight.act(FIRST));
        assertThat(next()).isSameAs(FIRST);

        flight.act(OTHER);

        assertThat(next()).isSameAs(OTHER);
        goOn.countDown();
        hanging.join();
    }

    @Test
    void what_has_ended_begins_again() throws Exception {
        flight.act(SECOND);
        flight.act(THIRD);

        assertThat(List.copyOf(acted)).containsExactly(SECOND, THIRD);
    }

    @Test
    void what_has_thrown_begins_again() {
        SingleFlight throwing = new SingleFlight(record -> {
            throw new IllegalStateException(record.box());
        });
        assertThatThrownBy(() -> throwing.act(SECOND)).hasMessage("second");

        assertThatThrownBy(() -> throwing.act(THIRD)).hasMessage("third");
    }

    private InstanceRecord next() throws InterruptedException {
        return acted.poll(30, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

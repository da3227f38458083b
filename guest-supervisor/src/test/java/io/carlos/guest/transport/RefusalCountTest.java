package io.carlos.guest.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalCountTest {
    private long now = -3;
    private final RefusalCount count = new RefusalCount(() -> now);

    @Test
    void theFirstRefusalIsTold() {
        assertThat(count.add()).hasValue(1);
    }

    @Test
    void theOthersOfAMinuteAreToldTogetherWithTheFirstOfTheNext() {
        assertThat(count.add()).hasValue(1);
        now += RefusalCount.INTERVAL_NANOS - 1;
        for (int i = 0; i < 1_000; i++) {
            assertThat(count.add()).isEmpty();
        }
        now++;
        assertThat(count.add()).hasValue(1_001);
        assertThat(count.add()).isEmpty();
    }
}

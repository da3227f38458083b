package io.carlos.model.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetWatchTest {
    private final FleetWatch watch = new FleetWatch(FleetTimes.DEFAULT);
    private long nanos = 1;

    @Test
    void aHeartbeatThatStaysTheSameIsLostAfterItsTimeAndNotBefore() {
        lookEveryMinute(Map.of("b1", "e"), 5);
        assertThat(watch.isLost("b1")).isFalse();
        lookEveryMinute(Map.of("b1", "e"), 1);
        assertThat(watch.isLost("b1")).isTrue();
    }

    @Test
    void aHeartbeatThatChangedIsSeenAnew() {
        lookEveryMinute(Map.of("b1", "e"), 6);
        lookEveryMinute(Map.of("b1", "f"), 5);
        assertThat(watch.isLost("b1")).isFalse();
    }

    @Test
    void anObserverThatWasAwayBeginsAnew() {
        lookEveryMinute(Map.of("b1", "e"), 5);
        nanos += Duration.ofHours(1).toNanos();
        lookEveryMinute(Map.of("b1", "e"), 5);
        assertThat(watch.isLost("b1")).isFalse();
    }

    @Test
    void aBoxWithoutAHeartbeatIsNotLost() {
        lookEveryMinute(Map.of("b1", "e"), 6);
        lookEveryMinute(Map.of(), 1);
        assertThat(watch.isLost("b1")).isFalse();
        assertThat(watch.isLost("b2")).isFalse();
    }

    private void lookEveryMinute(Map<String, String> etags, int looks) {
        for (int i = 0; i < looks; i++) {
            nanos += Duration.ofMinutes(1).toNanos();
            watch.look(etags, nanos);
        }
    }
}

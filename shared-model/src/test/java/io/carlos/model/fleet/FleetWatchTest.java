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

    @Test
    void theTimeThatTheFirstAndTheLastListingTookDoesNotCountAsSilence() {
        Map<String, String> heartbeat = Map.of("b1", "e");
        look(heartbeat, Duration.ofSeconds(60), Duration.ofSeconds(30));
        for (int i = 0; i < 4; i++) {
            look(heartbeat, Duration.ofSeconds(30), Duration.ofSeconds(30));
        }
        look(heartbeat, Duration.ofSeconds(59), Duration.ofSeconds(30));

        assertThat(watch.silence("b1")).isEqualTo(Duration.ofSeconds(299));
        assertThat(watch.isLost("b1")).isFalse();
    }

    @Test
    void aFirstLookSeesNoSilence() {
        look(Map.of("b1", "e"), Duration.ofSeconds(60), Duration.ofSeconds(30));

        assertThat(watch.silence("b1")).isZero();
    }

    private void look(Map<String, String> etags, Duration pause, Duration listing) {
        long before = nanos + pause.toNanos();
        nanos = before + listing.toNanos();
        watch.look(etags, before, nanos);
    }

    private void lookEveryMinute(Map<String, String> etags, int looks) {
        for (int i = 0; i < looks; i++) {
            look(etags, Duration.ofMinutes(1), Duration.ZERO);
        }
    }
}

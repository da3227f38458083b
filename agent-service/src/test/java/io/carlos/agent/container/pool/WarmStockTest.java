package io.carlos.agent.container.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmStockTest {
    private static final long LIMIT = 100;

    private final WarmStock<String> stock = new WarmStock<>(2, Duration.ofNanos(LIMIT));

    @Test
    void emptyStockBeginsAsManyBootsAsItHasRoomForAndOnce() {
        assertThat(stock.begin()).isEqualTo(2);
        assertThat(stock.begin()).isZero();
    }

    @Test
    void failedBootIsBegunAgain() {
        stock.begin();
        stock.bootFailed();
        assertThat(stock.begin()).isEqualTo(1);
    }

    @Test
    void takenMachineIsReplaced() {
        stock.begin();
        stock.booted("a", 0);
        stock.booted("b", 0);
        assertThat(stock.begin()).isZero();
        assertThat(stock.take(1)).contains("a");
        assertThat(stock.begin()).isEqualTo(1);
    }

    @Test
    void machinesAreGivenOutOnceAndTheOldestFirst() {
        stock.begin();
        stock.booted("a", 0);
        stock.booted("b", 5);
        assertThat(stock.take(6)).contains("a");
        assertThat(stock.take(6)).contains("b");
        assertThat(stock.take(6)).isEmpty();
    }

    @Test
    void machineAtItsAgeLimitIsNotGivenOutButExpires() {
        stock.begin();
        stock.booted("old", 0);
        stock.booted("young", 1);
        assertThat(stock.take(LIMIT)).contains("young");
        assertThat(stock.expire(LIMIT - 1)).isEmpty();
        assertThat(stock.expire(LIMIT)).containsExactly("old");
        assertThat(stock.ready()).isZero();
        assertThat(stock.begin()).isEqualTo(2);
    }

    @Test
    void closedStockGivesUpWhatItHoldsAndWantsNothing() {
        stock.begin();
        stock.booted("a", 0);
        assertThat(stock.close()).containsExactly("a");
        assertThat(stock.booted("late", 1)).isFalse();
        assertThat(stock.begin()).isZero();
        assertThat(stock.take(1)).isEmpty();
    }

    @Test
    void stockOfSizeZeroBeginsNothing() {
        assertThat(new WarmStock<String>(0, Duration.ofNanos(LIMIT)).begin()).isZero();
    }

    @Test
    void negativeSizeIsRefused() {
        assertThatThrownBy(() -> new WarmStock<String>(-1, Duration.ofNanos(LIMIT)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 machines");
    }
}

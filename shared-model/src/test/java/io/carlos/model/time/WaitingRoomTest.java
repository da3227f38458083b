package io.carlos.model.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitingRoomTest {
    private final WaitingRoom room = new WaitingRoom(1, Duration.ofMillis(1), new SystemScheduler());

    /** Enters on a thread of its own; returns when it waits. */
    private CompletableFuture<Boolean> waiting(BooleanSupplier isGivenUp) throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Boolean> entered = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return room.enter(() -> {
                            waits.countDown();
                            return isGivenUp.getAsBoolean();
                        });
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                Thread::startVirtualThread);
        waits.await();
        return entered;
    }

    @Test
    void placeIsTakenInPassingOnlyWhenItIsFreeAndNobodyWaits() throws Exception {
        assertThat(room.tryEnter()).isTrue();
        assertThat(room.tryEnter()).isFalse();
        assertThat(room.isAwaited()).isFalse();

        AtomicBoolean givesUp = new AtomicBoolean();
        CompletableFuture<Boolean> other = waiting(givesUp::get);
        assertThat(room.isAwaited()).isTrue();
        givesUp.set(true);
        assertThat(other.join()).isFalse();

        assertThat(room.isAwaited()).isFalse();
        room.leave();
        assertThat(room.tryEnter()).isTrue();
    }

    @Test
    void whoever_comes_first_gets_in_first() throws Exception {
        assertThat(room.enter(() -> false)).isTrue();
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            all.add(waiting(() -> false).thenAccept(entered -> {
                order.add(number);
                room.leave();
            }));
        }

        room.leave();

        for (CompletableFuture<Void> one : all) {
            one.get(30, TimeUnit.SECONDS);
        }
        assertThat(order).isSorted().hasSize(20);
    }

    @Test
    void whoever_gives_up_leaves_the_queue() throws Exception {
        assertThat(room.enter(() -> false)).isTrue();
        AtomicBoolean givenUp = new AtomicBoolean();
        CompletableFuture<Boolean> first = waiting(givenUp::get);
        CompletableFuture<Boolean> second = waiting(() -> false);

        givenUp.set(true);
        assertThat(first.get(30, TimeUnit.SECONDS)).isFalse();
        room.leave();

        assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
    }
}

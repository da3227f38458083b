package io.carlos.agent.container.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.time.SystemScheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WarmPoolTest {
    private final CountedMachines machines = new CountedMachines();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final WarmPool<Integer> pool =
            new WarmPool<>(machines, 1, Duration.ofHours(1), new SystemScheduler(), new Hearing());

    /** Machines that are numbers, in the order of their boots. */
    private static final class CountedMachines implements WarmMachines<Integer> {
        private final AtomicInteger boots = new AtomicInteger();
        private final Set<Integer> dead = ConcurrentHashMap.newKeySet();
        private final BlockingQueue<Integer> discarded = new LinkedBlockingQueue<>();
        private volatile boolean broken;
        private volatile boolean full;
        private volatile boolean awaited;

        @Override
        public Integer boot() throws IOException {
            if (broken) {
                throw new IOException("no machine boots here");
            }
            return boots.incrementAndGet();
        }

        @Override
        public boolean hasRoom() {
            return !full;
        }

        @Override
        public boolean isRoomAwaited() {
            return awaited;
        }

        @Override
        public boolean isReady(Integer machine) {
            return !dead.contains(machine);
        }

        @Override
        public void discard(Integer machine) {
            discarded.add(machine);
        }
    }

    private final class Hearing implements WarmPoolListener {
        @Override
        public void hit() {
            heard.add("hit");
        }

        @Override
        public void miss() {
            heard.add("miss");
        }

        @Override
        public void booted(Duration took) {
            heard.add("booted");
        }

        @Override
        public void bootFailed() {
            heard.add("failed");
        }

        @Override
        public void discarded() {
            heard.add("discarded");
        }
    }

    private void awaitReady() throws InterruptedException {
        assertThat(heard.take()).isEqualTo("booted");
        while (pool.ready() == 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void machineThatIsReadyIsGivenOutAndReplaced() throws Exception {
        pool.look();
        awaitReady();
        assertThat(pool.take()).contains(1);
        assertThat(heard.take()).isEqualTo("hit");
        awaitReady();
        assertThat(pool.take()).contains(2);
    }

    @Test
    void emptyPoolIsAMiss() throws Exception {
        assertThat(pool.take()).isEmpty();
        assertThat(heard.take()).isEqualTo("miss");
    }

    @Test
    void machineThatEndedWhileItWaitedIsNotGivenOut() throws Exception {
        pool.look();
        awaitReady();
        machines.dead.add(1);
        assertThat(pool.take()).isEmpty();
        assertThat(machines.discarded.take()).isEqualTo(1);
        assertThat(heard.take()).isEqualTo("discarded");
        assertThat(heard.take()).isEqualTo("miss");
    }

    @Test
    void nothingIsBootedAheadWhereThereIsNoRoom() throws Exception {
        machines.full = true;
        pool.look();
        assertThat(pool.booting()).isZero();
        assertThat(pool.take()).isEmpty();
        assertThat(pool.booting()).isZero();
        assertThat(machines.boots).hasValue(0);
    }

    @Test
    void machineThatWaitsMakesWayForWhoeverWaitsForRoom() throws Exception {
        pool.look();
        awaitReady();
        machines.awaited = true;
        machines.full = true;
        pool.look();
        assertThat(machines.discarded.take()).isEqualTo(1);
        assertThat(pool.ready()).isZero();
    }

    @Test
    void machineThatIsReadyWhileSomebodyWaitsForRoomMakesWayAtOnce() throws Exception {
        machines.awaited = true;
        pool.look();
        assertThat(machines.discarded.take()).isEqualTo(1);
    }

    @Test
    void failedBootIsTriedAgainAtTheNextLookOnly() throws Exception {
        machines.broken = true;
        pool.look();
        assertThat(heard.take()).isEqualTo("failed");
        machines.broken = false;
        assertThat(heard).isEmpty();
        pool.look();
        awaitReady();
    }

    @Test
    void closedPoolEndsWhatWaits() throws Exception {
        pool.look();
        awaitReady();
        pool.close();
        assertThat(machines.discarded.take()).isEqualTo(1);
        assertThat(pool.take()).isEmpty();
    }
}

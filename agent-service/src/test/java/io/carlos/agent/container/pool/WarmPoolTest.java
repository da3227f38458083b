package io.carlos.agent.container.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.time.Scheduler;
import io.carlos.model.time.SystemScheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WarmPoolTest {
    private static final Duration AGE_LIMIT = Duration.ofHours(1);

    private final CountedMachines machines = new CountedMachines();
    private final ClockAhead time = new ClockAhead();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final WarmPool<Integer> pool = new WarmPool<>(machines, 1, AGE_LIMIT, time, new Hearing());

    /** The machine's, but for its clock, which somebody may put forward. */
    private static final class ClockAhead implements Scheduler {
        private final Scheduler machine = new SystemScheduler();
        private final AtomicLong ahead = new AtomicLong();

        void putForward(Duration duration) {
            ahead.addAndGet(duration.toNanos());
        }

        @Override
        public Instant now() {
            return machine.now().plusNanos(ahead.get());
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime() + ahead.get();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            machine.sleep(duration);
        }

        @Override
        public Task fork(String name, Runnable body) {
            return machine.fork(name, body);
        }

        @Override
        public Lock newLock() {
            return machine.newLock();
        }
    }

    /** Machines that are numbers, in the order of their boots. */
    private static final class CountedMachines implements WarmMachines<Integer> {
        private final AtomicInteger boots = new AtomicInteger();
        private final Set<Integer> dead = ConcurrentHashMap.newKeySet();
        private final BlockingQueue<Integer> discarded = new LinkedBlockingQueue<>();
        private final AtomicInteger discardsThatFail = new AtomicInteger();
        private final CountDownLatch booting = new CountDownLatch(1);
        private volatile CountDownLatch held = new CountDownLatch(0);
        private volatile boolean broken;
        private volatile boolean outOfThreads;
        private volatile boolean full;
        private volatile boolean awaited;

        @Override
        public Integer boot() throws IOException, InterruptedException {
            booting.countDown();
            held.await();
            if (broken) {
                throw new IOException("no machine boots here");
            }
            if (outOfThreads) {
                throw new OutOfMemoryError("unable to create native thread");
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
        public void discard(Integer machine) throws IOException {
            if (discardsThatFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException("its directory is left");
            }
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
        // The room is needed by who has found none.
        assertThat(pool.booting()).isZero();
        assertThat(machines.boots).hasValue(0);
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
    void bootThatEndsInAnErrorIsTriedAgainToo() throws Exception {
        machines.outOfThreads = true;
        pool.look();
        assertThat(heard.take()).isEqualTo("failed");
        assertThat(pool.booting()).isZero();
        machines.outOfThreads = false;
        pool.look();
        awaitReady();
    }

    @Test
    void machineAtItsAgeLimitIsEndedAndReplaced() throws Exception {
        pool.look();
        awaitReady();
        time.putForward(AGE_LIMIT);
        pool.look();
        assertThat(machines.discarded.take()).isEqualTo(1);
        assertThat(heard.take()).isEqualTo("discarded");
        awaitReady();
        assertThat(pool.take()).contains(2);
    }

    @Test
    void machineThatCouldNotBeEndedIsTriedAgainAtTheNextLookAndCountedOnce() throws Exception {
        machines.discardsThatFail.set(1);
        pool.look();
        awaitReady();
        time.putForward(AGE_LIMIT);
        pool.look();
        assertThat(heard.take()).isEqualTo("discarded");
        awaitReady();
        Integer ended = null;
        while (ended == null) {
            pool.look();
            ended = machines.discarded.poll(10, TimeUnit.MILLISECONDS);
        }
        assertThat(ended).isEqualTo(1);
        assertThat(heard).isEmpty();
    }

    @Test
    void machineThatBootsWhileThePoolClosesIsEnded() throws Exception {
        machines.held = new CountDownLatch(1);
        pool.look();
        machines.booting.await();
        pool.close();
        assertThat(machines.discarded).isEmpty();
        machines.held.countDown();
        assertThat(machines.discarded.take()).isEqualTo(1);
        assertThat(pool.ready()).isZero();
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

package io.carlos.model.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final Duration LONG = Duration.ofDays(1);

    @Test
    void one_seed_is_one_schedule_and_seeds_differ() {
        assertThat(trace(1)).isEqualTo(trace(1));
        assertThat(List.of(trace(1), trace(2), trace(3), trace(4)))
                .hasSizeGreaterThan(1)
                .doesNotHaveDuplicates();
    }

    private static List<String> trace(long seed) {
        Simulation simulation = new Simulation(seed);
        SimulatedProcess process = simulation.process("p", Duration.ZERO);
        List<String> trace = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            process.fork(name, () -> {
                for (int i = 0; i < 5; i++) {
                    simulation.step();
                    trace.add(name + i);
                }
            });
        }
        assertThat(simulation.run(LONG)).isTrue();
        return trace;
    }

    @Test
    void a_days_sleep_takes_no_time_and_moves_the_clocks() {
        Simulation simulation = new Simulation(1);
        SimulatedProcess process = simulation.process("p", Duration.ofSeconds(7));
        List<Duration> woke = new ArrayList<>();
        process.fork("sleeper", () -> {
            long before = process.nanoTime();
            sleep(process, Duration.ofHours(23));
            woke.add(Duration.ofNanos(process.nanoTime() - before));
        });

        assertThat(simulation.run(LONG)).isTrue();

        assertThat(woke).containsExactly(Duration.ofHours(23));
        assertThat(process.now()).isEqualTo(simulation.trueTime().plusSeconds(7));
    }

    @Test
    void a_condition_wakes_by_signal_by_time_and_by_interrupt() {
        Simulation simulation = new Simulation(3);
        SimulatedProcess process = simulation.process("p", Duration.ZERO);
        Lock lock = process.newLock();
        Condition condition = lock.newCondition();
        List<String> woke = new ArrayList<>();
        process.fork("by signal", () -> woke.add("signal " + await(lock, condition, Duration.ofHours(1))));
        process.fork("by time", () -> woke.add("time " + await(lock, lock.newCondition(), Duration.ofMinutes(5))));
        Scheduler.Task interrupted =
                process.fork("interrupted", () -> woke.add("interrupt " + await(lock, lock.newCondition(), LONG)));
        process.fork("signaller", () -> {
            sleep(process, Duration.ofMinutes(1));
            lock.lock();
            condition.signalAll();
            lock.unlock();
            interrupted.interrupt();
        });

        assertThat(simulation.run(LONG)).isTrue();

        assertThat(woke).containsExactlyInAnyOrder("signal true", "time false", "interrupt interrupted");
        assertThat(simulation.trueTime()).isEqualTo("2026-01-01T00:05:00Z");
    }

    @Test
    void a_lock_is_held_by_one_fiber_at_a_time() {
        for (long seed = 0; seed < 200; seed++) {
            Simulation simulation = new Simulation(seed);
            SimulatedProcess process = simulation.process("p", Duration.ZERO);
            Lock lock = process.newLock();
            int[] inside = new int[2];
            for (int fiber = 0; fiber < 4; fiber++) {
                process.fork("f" + fiber, () -> {
                    lock.lock();
                    inside[0]++;
                    inside[1] = Math.max(inside[1], inside[0]);
                    simulation.step();
                    inside[0]--;
                    lock.unlock();
                });
            }
            assertThat(simulation.run(LONG)).isTrue();
            assertThat(inside[1]).isEqualTo(1);
        }
    }

    @Test
    void killing_a_process_ends_its_fibers_where_they_stand_and_no_others() {
        Simulation simulation = new Simulation(5);
        SimulatedProcess victim = simulation.process("victim", Duration.ZERO);
        SimulatedProcess other = simulation.process("other", Duration.ZERO);
        List<String> done = new ArrayList<>();
        victim.fork("sleeps", () -> {
            sleep(victim, Duration.ofMinutes(2));
            done.add("victim");
        });
        other.fork("kills", () -> {
            sleep(other, Duration.ofMinutes(1));
            victim.kill();
            sleep(other, Duration.ofMinutes(2));
            done.add("other");
        });

        assertThat(simulation.run(LONG)).isTrue();

        assertThat(done).containsExactly("other");
    }

    @Test
    void a_frozen_process_stands_still_while_time_and_others_go_on_and_goes_on_later() {
        Simulation simulation = new Simulation(9);
        SimulatedProcess frozen = simulation.process("frozen", Duration.ZERO);
        SimulatedProcess other = simulation.process("other", Duration.ZERO);
        List<String> woke = new ArrayList<>();
        frozen.fork("sleeps", () -> {
            sleep(frozen, Duration.ofMinutes(2));
            woke.add("frozen " + simulation.trueTime());
        });
        other.fork("freezes", () -> {
            sleep(other, Duration.ofMinutes(1));
            frozen.freeze(Duration.ofMinutes(10));
            sleep(other, Duration.ofMinutes(5));
            woke.add("other " + simulation.trueTime());
        });

        assertThat(simulation.run(LONG)).isTrue();

        assertThat(woke).containsExactly("other 2026-01-01T00:06:00Z", "frozen 2026-01-01T00:11:00Z");
    }

    @Test
    void a_kill_reaches_a_frozen_process_at_once() {
        Simulation simulation = new Simulation(10);
        SimulatedProcess frozen = simulation.process("frozen", Duration.ZERO);
        frozen.fork("sleeps", () -> sleep(frozen, Duration.ofMinutes(2)));
        simulation.process("other", Duration.ZERO).fork("kills", () -> {
            frozen.freeze(Duration.ofHours(10));
            frozen.kill();
        });

        assertThat(simulation.run(Duration.ofMinutes(2))).isTrue();
    }

    @Test
    void a_clock_that_is_set_moves_no_sleep() {
        Simulation simulation = new Simulation(11);
        SimulatedProcess process = simulation.process("p", Duration.ZERO);
        process.fork("sleeps", () -> {
            process.setClock(Duration.ofHours(-1));
            sleep(process, Duration.ofMinutes(2));
        });

        assertThat(simulation.run(LONG)).isTrue();

        assertThat(simulation.trueTime()).isEqualTo("2026-01-01T00:02:00Z");
        assertThat(process.now()).isEqualTo("2025-12-31T23:02:00Z");
    }

    @Test
    void a_broken_invariant_ends_the_run_with_its_time_and_step() {
        Simulation simulation = new Simulation(6);
        SimulatedProcess process = simulation.process("p", Duration.ZERO);
        int[] counter = new int[1];
        simulation.setInvariants(() -> assertThat(counter[0]).isLessThan(3));
        process.fork("counts", () -> {
            while (true) {
                sleep(process, Duration.ofSeconds(1));
                counter[0]++;
            }
        });

        assertThatThrownBy(() -> simulation.run(LONG)).hasMessageContaining("PT3S");
    }

    @Test
    void what_a_fiber_throws_fails_the_run() {
        Simulation simulation = new Simulation(7);
        simulation.process("p", Duration.ZERO).fork("bad", () -> {
            throw new IllegalStateException("broken");
        });

        assertThatThrownBy(() -> simulation.run(LONG)).rootCause().hasMessage("broken");
    }

    @Test
    void closing_ends_every_fiber_that_still_waits() {
        Simulation simulation = new Simulation(8);
        SimulatedProcess process = simulation.process("p", Duration.ZERO);
        Lock lock = process.newLock();
        List<Thread> threads = new ArrayList<>();
        process.fork("sleeps", () -> {
            threads.add(Thread.currentThread());
            sleep(process, Duration.ofDays(365));
        });
        process.fork("waits", () -> {
            threads.add(Thread.currentThread());
            await(lock, lock.newCondition(), Duration.ofDays(365));
        });
        simulation.run(LONG);

        simulation.close();

        assertThat(threads).hasSize(2).noneMatch(Thread::isAlive);
    }

    private static void sleep(Scheduler scheduler, Duration duration) {
        try {
            scheduler.sleep(duration);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String await(Lock lock, Condition condition, Duration duration) {
        lock.lock();
        try {
            return Boolean.toString(condition.await(duration.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            return "interrupted";
        } finally {
            lock.unlock();
        }
    }
}

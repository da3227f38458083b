package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.A;
import static io.carlos.agent.instance.InstanceWorld.BOUND;
import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import io.carlos.model.records.Records;
import io.carlos.model.records.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A sweep stops nothing that was started after it was asked for, and the first leaves nothing of an earlier agent. */
@Timeout(120)
class InstanceSweepTest {
    private static final Host B = Host.of("b.example.com");
    private static final UnitName A_RUN = UnitName.of(Role.RUN, A);
    private static final HeldBack NOBODY = new HeldBack(false, List.of());

    @TempDir
    private Path root;

    private InstanceWorld world;

    @BeforeEach
    void openWorld() throws Exception {
        world = new InstanceWorld(root);
    }

    @AfterEach
    void closeWorld() throws Exception {
        world.close();
    }

    @Test
    void a_host_that_comes_during_a_sweep_is_started_after_it() throws Exception {
        world.instances.begin();
        List<PlayedUnit> startedMeanwhile = new CopyOnWriteArrayList<>();
        world.channel.whenSwept(() -> {
            world.pass(record("a.example.com"));
            world.await(() -> world.isAt(A, InstanceState.FAILED) || world.isAt(A, InstanceState.RUNNING), "its start");
            startedMeanwhile.addAll(world.channel.running());
        });

        world.instances.stopAll("an operator stopped all");

        world.awaitState(InstanceState.RUNNING);
        assertThat(startedMeanwhile).isEmpty();
    }

    @Test
    void a_host_that_comes_during_a_sweep_is_not_seeded_before_its_end() throws Exception {
        world.instances.begin();
        List<String> calledMeanwhile = new CopyOnWriteArrayList<>();
        world.channel.whenSwept(() -> {
            world.pass(Records.withSeed(record("a.example.com"), new Seed(Seed.Kind.FRESH, Seed.State.PLACED)));
            world.await(
                    () -> world.isAt(A, InstanceState.FAILED)
                            || !world.channel.running().isEmpty(),
                    "its start");
            calledMeanwhile.addAll(world.channel.calls());
        });

        world.instances.stopAll("an operator stopped all");

        assertThat(calledMeanwhile).noneMatch(call -> call.startsWith("seed"));
    }

    @Test
    void a_host_that_was_here_before_a_sweep_stays_down_after_it() throws Exception {
        world.runningA();
        world.channel.whenSwept(() -> {
            world.pass(record("a.example.com"), record("b.example.com"));
            world.await(() -> world.isAt(B, InstanceState.FAILED), "the other's start");
        });

        world.instances.stopAll("an operator stopped all");

        world.await(() -> world.isAt(B, InstanceState.RUNNING), "the other");
        world.awaitQuiet();
        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
    }

    @Test
    void nothing_is_started_while_a_sweep_without_an_answer_may_go_on() throws Exception {
        world.runningA();
        AtomicBoolean asked = new AtomicBoolean();
        CountDownLatch answered = new CountDownLatch(1);
        world.channel.hangUp("sweep");
        world.channel.hangUp("sweep");
        world.channel.whenSwept(() -> {
            if (asked.getAndSet(true)) {
                awaitLatch(answered);
            }
        });

        assertThatThrownBy(() -> world.instances.stopAll("an operator stopped all"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing is started until a sweep is answered");

        assertThat(world.startA()).isInstanceOf(OperationOutcome.Failed.class);
        assertThat(world.channel.running()).isEmpty();
        answered.countDown();
        world.awaitQuiet();
        assertThat(world.startA()).isInstanceOf(OperationOutcome.Done.class);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_sweep_that_reached_nobody_keeps_nothing_from_starting() throws Exception {
        world.runningA();
        world.channel.failToReach("sweep");

        assertThatThrownBy(() -> world.instances.stopAll("an operator stopped all"))
                .isInstanceOf(IOException.class);

        assertThat(world.startA()).isInstanceOf(OperationOutcome.Done.class);
        assertThat(world.channel.calls()).containsOnlyOnce("sweep");
    }

    @Test
    void a_host_that_does_not_stop_holds_back_nobody_but_itself() throws Exception {
        world.runningA();
        world.rows(record("b.example.com"));
        world.channel.cling(A_RUN);

        assertThatThrownBy(() -> world.instances.stopAll("an operator stopped all"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(A_RUN.value())
                .hasMessageContaining("each of their hosts is held back until they are");

        assertThat(world.instances.start(B).get(BOUND.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(OperationOutcome.Done.class);
        assertThat(world.instances.heldBack()).isEqualTo(new HeldBack(false, List.of(A)));
        assertThat(isStopping(A)).isTrue();
        assertThat(isStopping(B)).isFalse();

        world.channel.letGo();

        world.await(() -> !isStopping(A), "its stop");
        assertThat(world.instances.heldBack()).isEqualTo(NOBODY);
        assertThat(world.startA()).isInstanceOf(OperationOutcome.Done.class);
    }

    @Test
    void a_host_that_takes_longer_than_whoever_sweeps_waits_is_told_of() throws Exception {
        world.runningA();
        world.channel.beforeStops(() -> world.channel.cling(A_RUN));

        assertThatThrownBy(() -> world.instances.stopAll("an operator stopped all"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(A.value());

        assertThat(isStopping(A)).isTrue();
        world.channel.beforeStops(() -> {});
        world.channel.letGo();
        world.await(() -> !isStopping(A), "its stop");
    }

    @Test
    void what_a_later_answer_names_is_held_back_after_it() throws Exception {
        world.runningA();
        world.rows(record("b.example.com"));
        AtomicBoolean asked = new AtomicBoolean();
        world.channel.hangUp("sweep");
        world.channel.whenSwept(() -> {
            if (asked.getAndSet(true)) {
                world.channel.cling(UnitName.of(Role.CMD, A));
            }
        });

        assertThatThrownBy(() -> world.instances.stopAll("an operator stopped all"))
                .isInstanceOf(IOException.class);

        world.await(() -> !world.instances.heldBack().all(), "an answer");
        assertThat(world.instances.heldBack().hosts()).containsExactly(A);
        assertThat(isStopping(B)).isFalse();
        world.channel.letGo();
        world.await(() -> !isStopping(A), "its stop");
    }

    @Test
    void a_defect_while_a_sweep_is_finished_holds_back_nobody_for_good() throws Exception {
        world.runningA();
        AtomicInteger asked = new AtomicInteger();
        world.channel.hangUp("sweep");
        world.channel.whenSwept(() -> {
            if (asked.incrementAndGet() == 2) {
                throw new IllegalStateException("a played defect");
            }
        });

        assertThatThrownBy(() -> world.instances.stopAll("an operator stopped all"))
                .isInstanceOf(IOException.class);

        world.await(() -> !isStopping(A), "the end of the sweep");
        assertThat(world.startA()).isInstanceOf(OperationOutcome.Done.class);
    }

    @Test
    void a_defect_while_a_host_is_stood_down_holds_it_back_until_that_is_done() throws Exception {
        world.runningA();
        AtomicInteger stops = new AtomicInteger();
        world.channel.beforeStops(() -> {
            if (stops.incrementAndGet() == 1) {
                throw new IllegalStateException("a played defect");
            }
        });

        world.instances.stopAll("an operator stopped all");

        assertThat(isStopping(A)).isFalse();
        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
        world.assertNothingLeft();
    }

    private boolean isStopping(Host host) {
        return world.instances.lane(host).turn().commands().isStopping();
    }

    @Test
    void a_box_holds_back_at_its_start_whose_unit_does_not_stop_and_starts_it_after_that() throws Exception {
        world.rows(record("a.example.com"), record("b.example.com"));
        world.channel.cling(UnitName.of(Role.CMD, A));

        world.instances.sweep();
        world.instances.begin();

        world.await(() -> world.isAt(B, InstanceState.RUNNING), "the other");
        assertThat(world.instances.heldBack()).isEqualTo(new HeldBack(false, List.of(A)));
        assertThat(world.channel.calls()).doesNotContain("start run a.example.com");
        world.channel.letGo();
        world.awaitState(InstanceState.RUNNING);
        assertThat(world.instances.heldBack()).isEqualTo(NOBODY);
    }

    @Test
    void a_host_that_comes_while_an_earlier_unit_of_it_does_not_stop_is_started_after_that() throws Exception {
        world.channel.cling(A_RUN);
        world.instances.sweep();
        world.instances.begin();

        world.pass(record("a.example.com"), record("b.example.com"));

        world.await(() -> world.isAt(B, InstanceState.RUNNING), "the other");
        assertThat(world.instances.heldBack().hosts()).containsExactly(A);
        assertThat(world.channel.calls()).doesNotContain("start run a.example.com");
        world.channel.letGo();
        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_box_whose_sweep_failed_is_held_back_until_one_holds() throws Exception {
        world.channel.failNext("sweep", Outcome.MAY_RUN);

        assertThatThrownBy(world.instances::sweep).isInstanceOf(IOException.class);
        assertThat(world.instances.heldBack()).isEqualTo(new HeldBack(true, List.of()));

        world.instances.sweep();
        assertThat(world.instances.heldBack()).isEqualTo(NOBODY);
    }

    @Test
    void a_command_of_an_earlier_agent_is_not_remembered_as_failed() throws Exception {
        world.runningA();
        world.rows(record("b.example.com"));
        world.restartAgent();
        Files.writeString(world.data("launch.cmd.json"), "{}");

        world.instances.sweep();

        assertThat(world.channel.wasReset(A, Role.CMD)).isTrue();
        assertThat(world.channel.wasReset(B, Role.CMD)).isFalse();
    }

    @Test
    void a_box_is_clear_also_if_a_command_stays_remembered_as_failed() throws Exception {
        world.runningA();
        world.restartAgent();
        Files.writeString(world.data("launch.cmd.json"), "{}");
        world.channel.failNext("reset", Outcome.MAY_RUN);

        world.instances.sweep();

        assertThat(world.rowA().state()).isEqualTo(InstanceState.STOPPED);
    }
}

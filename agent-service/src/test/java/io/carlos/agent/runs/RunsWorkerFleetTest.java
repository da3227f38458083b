package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.StoredRuns;
import io.carlos.store.FaultyObjectStore.Call;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a worker leaves alone because of its box's place in the fleet. */
class RunsWorkerFleetTest {
    /** A box that others may have taken for lost. */
    private static final Fleet STALE = () -> false;

    /** A box that is fresh as long as the test says so. */
    private static final class AgeingFleet implements Fleet {
        private boolean fresh = true;

        @Override
        public boolean mayWrite() {
            return fresh;
        }
    }

    /** A box whose name a newer agent has, which this one was not told yet. */
    private static final Fleet WITHOUT_NAME = new Fleet() {
        @Override
        public boolean mayWrite() {
            return true;
        }

        @Override
        public boolean holdsName() {
            return false;
        }
    };

    /** A fleet in which another box is lost, and may have begun anew since the last look. */
    private record LosingFleet(String lost, boolean still) implements Fleet {
        @Override
        public boolean mayWrite() {
            return true;
        }

        @Override
        public boolean isLost(String box) {
            return box.equals(lost);
        }

        @Override
        public boolean isStillLost(String box) {
            return isLost(box) && still;
        }
    }

    @Test
    void a_run_that_any_start_of_a_lost_box_had_is_closed_out() throws Exception {
        WorkerWorld world = WorkerWorld.in(new LosingFleet("box-9", true)).queued();
        pickElsewhere(world, "boot-of-long-ago");

        world.pass();

        assertThat(world.result().interrupted()).isEqualTo(RunCloser.BOX_WENT_AWAY);
    }

    @Test
    void a_run_of_a_lost_box_that_has_begun_anew_is_left_alone() throws Exception {
        WorkerWorld world = WorkerWorld.in(new LosingFleet("box-9", false)).queued();
        pickElsewhere(world, "boot-anew");

        world.pass();

        assertThat(world.journal()).isEmpty();
    }

    @Test
    void a_box_that_goes_stale_in_the_last_look_before_a_launch_launches_nothing_once_its_run_is_taken()
            throws Exception {
        AgeingFleet fleet = new AgeingFleet();
        WorkerWorld world = WorkerWorld.in(fleet).queued();
        RunResult[] theirs = new RunResult[1];
        inTheLastLook(world, () -> {
            fleet.fresh = false;
            world.after(Duration.ofSeconds(5), () -> {
                theirs[0] = world.runs().putResult(9, 0);
                world.runs().finish();
                fleet.fresh = true;
            });
        });

        world.pass();

        assertThat(world.launcher().requests()).isEmpty();
        assertThat(world.result()).isEqualTo(theirs[0]);
        assertThat(world.runs().store().outstanding()).isZero();
    }

    @Test
    void a_box_that_is_fresh_again_before_anybody_took_its_run_launches_it() throws Exception {
        AgeingFleet fleet = new AgeingFleet();
        WorkerWorld world = WorkerWorld.in(fleet).queued();
        inTheLastLook(world, () -> {
            fleet.fresh = false;
            world.after(Duration.ofSeconds(5), () -> fleet.fresh = true);
        });

        world.pass();

        assertThat(world.launcher().requests()).hasSize(1);
        assertThat(world.result().exit()).isZero();
    }

    @Test
    void a_box_that_goes_stale_while_its_backend_takes_its_time_launches_once_it_is_fresh() throws Exception {
        AgeingFleet fleet = new AgeingFleet();
        WorkerWorld world = WorkerWorld.in(fleet).queued();
        world.launcher().plan((request, output) -> {
            world.launcher().script(command -> {});
            fleet.fresh = false;
            world.after(Duration.ofSeconds(5), () -> fleet.fresh = true);
            return unlessWanted(request);
        });

        world.pass();

        assertThat(world.launcher().requests()).hasSize(2);
        assertThat(world.result().interrupted()).isEmpty();
        assertThat(world.result().started()).isNotNull();
    }

    @Test
    void a_box_that_goes_stale_while_its_backend_takes_its_time_launches_nothing_once_its_run_is_taken()
            throws Exception {
        AgeingFleet fleet = new AgeingFleet();
        WorkerWorld world = WorkerWorld.in(fleet).queued();
        RunResult[] theirs = new RunResult[1];
        world.launcher().plan((request, output) -> {
            fleet.fresh = false;
            world.after(Duration.ofSeconds(5), () -> {
                theirs[0] = world.runs().putResult(9, 0);
                world.runs().finish();
                fleet.fresh = true;
            });
            return unlessWanted(request);
        });

        world.pass();

        assertThat(world.launcher().requests()).hasSize(1);
        assertThat(world.result()).isEqualTo(theirs[0]);
    }

    private static LaunchOutcome unlessWanted(LaunchRequest request) {
        assertThat(request.wanted().getAsBoolean()).isFalse();
        return new LaunchOutcome.Unwanted();
    }

    /** Another box has picked the run, and then its record was given to this one. */
    private static void pickElsewhere(WorkerWorld world, String boot) {
        world.runs().set(world.runs().record().withBox("box-9"));
        world.runs().pick("box-9", boot, WorkerWorld.TIMEOUT);
        world.runs().set(world.runs().record().withBox(StoredRuns.BOX));
    }

    /** Does something while the execution reads the record for the last time before it launches. */
    private static void inTheLastLook(WorkerWorld world, Runnable action) {
        String record = world.runs().ref().key().value();
        world.directories().whileStaging(() -> world.runs().store().beforeNext(Call.GET, record::equals, action));
    }

    @Test
    void a_box_that_may_be_lost_picks_nothing() throws Exception {
        WorkerWorld world = WorkerWorld.in(STALE).queued();

        world.pass();

        assertThat(world.launcher().requests()).isEmpty();
        assertThat(world.journal()).isEmpty();
    }

    @Test
    void a_box_that_may_be_lost_closes_nothing_out() throws Exception {
        WorkerWorld world = WorkerWorld.in(STALE).queued();
        world.runs().pick(StoredRuns.BOX, "boot-0", WorkerWorld.TIMEOUT);

        world.pass();

        assertThat(world.journal()).isEmpty();
    }

    @Test
    void an_agent_leaves_the_run_of_a_newer_one_of_its_name_alone() throws Exception {
        WorkerWorld world = WorkerWorld.in(WITHOUT_NAME).queued();
        world.runs().pick(StoredRuns.BOX, "boot-9", WorkerWorld.TIMEOUT);

        world.pass();

        assertThat(world.journal()).isEmpty();
    }
}

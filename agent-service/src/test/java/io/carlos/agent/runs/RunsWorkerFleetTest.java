package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.fleet.Fleet;
import io.carlos.model.runs.StoredRuns;
import org.junit.jupiter.api.Test;

/** What a worker leaves alone because of its box's place in the fleet. */
class RunsWorkerFleetTest {
    /** A box that others may have taken for lost. */
    private static final Fleet STALE = () -> false;

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

package io.carlos.agent.instance;

import static io.carlos.agent.instance.InstanceWorld.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.instance.OperationOutcome.Failed;
import io.carlos.agent.instance.OperationOutcome.NotReady;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the control service may answer to a start, or not. */
@Timeout(60)
class InstanceStartAnswerTest {
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

    private void assertFailed(String reason) throws Exception {
        OperationOutcome outcome = world.startA();

        assertThat(outcome).isInstanceOf(Failed.class);
        assertThat(((Failed) outcome).reason()).contains(reason);
        assertThat(world.rowA().state()).isEqualTo(InstanceState.FAILED);
        assertThat(world.rowA().reason()).contains(reason);
        world.assertNothingLeft();
    }

    @Test
    void a_start_of_which_nothing_runs() throws Exception {
        world.channel.failNext("start", Outcome.NOTHING_RUNS);
        world.stoppedA(record("a.example.com"));

        assertFailed("the control service did not start it");
        assertThat(world.channel.calls()).containsExactly("start run a.example.com");
    }

    @Test
    void a_start_that_may_run_is_stopped_until_it_holds() throws Exception {
        world.channel.failNextThatRuns("start", Outcome.MAY_RUN);
        world.channel.failNext("stop", Outcome.MAY_RUN);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);
        assertThat(world.channel.calls())
                .startsWith("start run a.example.com", "stop run a.example.com", "stop run a.example.com");
    }

    @Test
    void what_a_start_without_an_answer_was_to_run_is_removed_before_it_is_stopped() throws Exception {
        List<Boolean> wasThere = new CopyOnWriteArrayList<>();
        world.channel.beforeStops(() -> wasThere.add(Files.exists(world.data("launch.run.json"))));
        world.channel.failNextThatRuns("start", Outcome.MAY_RUN);
        world.stoppedA(record("a.example.com"));

        world.startA();

        assertThat(wasThere.getFirst()).isFalse();
    }

    @Test
    void a_start_whose_answer_was_lost_is_tried_again() throws Exception {
        world.channel.failNextThatRuns("start", Outcome.MAY_RUN);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_start_that_finds_no_control_service_is_tried_again() throws Exception {
        world.channel.failToReach("start");
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_start_beside_another_of_the_same_role_ends_both() throws Exception {
        world.channel.failNext("start", Outcome.BUSY);
        world.stoppedA(record("a.example.com"));

        assertFailed("the control service did not start it");
        assertThat(world.channel.calls()).containsExactly("start run a.example.com", "stop run a.example.com");
    }

    @Test
    void a_box_that_is_not_ready_any_more_is_told_from_a_failure() throws Exception {
        world.channel.failNext("start", Outcome.NOT_READY);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);

        world.awaitState(InstanceState.RUNNING);
    }

    @Test
    void a_start_that_the_control_service_came_to_too_late_is_tried_again() throws Exception {
        world.channel.failNext("start", Outcome.EXPIRED);
        world.stoppedA(record("a.example.com"));

        assertThat(world.startA()).isInstanceOf(NotReady.class);
        assertThat(world.channel.calls())
                .startsWith("start run a.example.com")
                .doesNotContain("stop run a.example.com");

        world.awaitState(InstanceState.RUNNING);
    }
}

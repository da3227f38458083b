package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.Records;
import io.carlos.model.records.Seed;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.time.OneProcess;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.Precondition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keeps a picked run from being launched, and what its result says then. */
class RunExecutionRefusalTest {
    private WorkerWorld world = new WorkerWorld();

    @Test
    void a_run_of_another_incarnation_is_refused_and_not_launched() throws Exception {
        world.queued();
        StoredRuns runs = world.runs();
        runs.set(Records.createdAt(runs.record(), Records.CREATED.plusSeconds(1)));

        world.pass();

        assertRefused("incarnation");
    }

    @Test
    void a_run_on_an_import_that_is_not_committed_is_refused_and_not_launched() throws Exception {
        world.queued();
        StoredRuns runs = world.runs();
        runs.set(Records.withSeed(runs.record(), new Seed(Seed.Kind.IMPORT, Seed.State.PLACED)));

        world.pass();

        assertRefused("import");
    }

    @Test
    void a_run_whose_request_is_not_stored_is_refused_and_not_launched() throws Exception {
        world.queued();
        world.runs().objects().delete(world.runs().keys().request());

        world.pass();

        assertRefused("request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "{\"schema\":1}", "{\"schema\":2,\"id\":\"of a later version\"}"})
    void a_run_whose_request_cannot_be_read_is_refused_with_the_cause_and_not_launched(String content)
            throws Exception {
        world.queued();
        world.runs()
                .objects()
                .put(world.runs().keys().request(), content.getBytes(StandardCharsets.UTF_8), Precondition.NONE);

        world.pass();

        assertRefused("request");
        assertThat(world.result().detail()).startsWith("its request cannot be read: run request: ");
    }

    @Test
    void a_store_that_does_not_hand_the_request_out_is_no_refusal() throws Exception {
        world.runs().store().failNext(Call.GET, key -> key.endsWith("/request.json"), Fault.UNAVAILABLE);

        RunResult result = world.play();

        assertThat(result.refused()).isEmpty();
        assertThat(world.launcher().requests()).hasSize(1);
    }

    @Test
    void files_that_must_not_be_staged_refuse_the_run_and_nothing_is_launched() throws Exception {
        world.directories().whileStaging(() -> {
            throw new StagingRefusedException("rows.csv is a link");
        });

        RunResult result = world.play();

        assertRefused("files");
        assertThat(result.detail()).isEqualTo("rows.csv is a link");
    }

    @Test
    void a_run_without_a_place_is_refused_for_that_and_nothing_is_staged() throws Exception {
        world.directories().whilePlacing(() -> {
            throw new StagingRefusedException(LaunchOutcome.Reason.CLAIM, "another incarnation's");
        });
        world.directories().whileStaging(() -> {
            throw new AssertionError("staged without a place");
        });

        RunResult result = world.play();

        assertRefused("claim");
        assertThat(result.detail()).isEqualTo("another incarnation's");
    }

    @ParameterizedTest
    @CsvSource({"CLAIM, claim", "FLAT, flat", "WAKE, wake"})
    void a_launcher_that_refuses_gives_its_rule_and_its_sentence(LaunchOutcome.Reason reason, String rule)
            throws Exception {
        world.launcher().plan((request, output) -> new LaunchOutcome.Refused(reason, "the instance did not wake"));

        RunResult result = world.play();

        assertThat(result.refused()).isEqualTo(rule);
        assertThat(result.detail()).isEqualTo("the instance did not wake");
        assertThat(result.interrupted()).isEmpty();
    }

    @Test
    void an_instance_that_stopped_first_interrupts_the_run() throws Exception {
        world.launcher().plan((request, output) -> new LaunchOutcome.Interrupted("the instance was stopped"));

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("the instance was stopped");
        assertThat(result.started()).isNull();
    }

    @Test
    void a_start_that_fails_interrupts_the_run_and_keeps_the_cause_from_the_member() throws Exception {
        world.launcher()
                .plan((request, output) -> new LaunchOutcome.Failed("secret path", new IOException("secret cause")));

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("start failed");
        assertThat(result.toString()).doesNotContain("secret");
    }

    @Test
    void an_isolation_that_this_box_cannot_give_interrupts_the_run() throws Exception {
        world = new WorkerWorld(Records.withIsolation(WorkerWorld.RECORD, Isolation.MICROVM), new OneProcess());

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("start failed");
        assertThat(world.launcher().requests()).isEmpty();
    }

    @Test
    void a_run_cancelled_right_after_its_pick_is_not_launched() throws Exception {
        world.queued();
        // The pick reads the record once; the second reading is the one before the launch.
        world.runs().store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {});
        world.runs().store().beforeNext(Call.GET, key -> key.startsWith("records/"), world.runs()::cancel);

        world.pass();

        assertCancelledBeforeLaunch();
    }

    @Test
    void a_cancel_forwarded_during_staging_keeps_the_run_from_being_launched() throws Exception {
        stageFor(Duration.ofSeconds(10));
        world.after(Duration.ofSeconds(5), () -> {
            world.runs().cancel();
            world.see();
        });

        world.play();

        assertCancelledBeforeLaunch();
    }

    @Test
    void an_agent_that_stops_during_staging_interrupts_the_run_and_launches_nothing() throws Exception {
        stageFor(Duration.ofSeconds(10));
        boolean[] ended = new boolean[1];
        world.after(Duration.ofSeconds(5), () -> ended[0] = world.worker().stop(Duration.ofSeconds(30)));

        RunResult result = world.play();

        assertThat(result.interrupted()).isEqualTo("the box's agent stopped");
        assertThat(world.launcher().requests()).isEmpty();
        assertThat(ended[0]).isTrue();
    }

    @Test
    void a_run_that_was_closed_out_right_after_its_pick_is_not_launched_and_that_result_stands() throws Exception {
        world.queued();
        StoredRuns runs = world.runs();
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {});
        RunResult[] theirs = new RunResult[1];
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {
            theirs[0] = runs.putResult(9, 0);
            runs.finish();
        });

        world.pass();

        assertThat(world.launcher().requests()).isEmpty();
        assertThat(world.result()).isEqualTo(theirs[0]);
    }

    private void stageFor(Duration time) {
        world.directories()
                .whileStaging(() -> world.runs().process().simulation().pause(time));
    }

    private void assertRefused(String rule) {
        RunResult result = world.result();
        assertThat(result.refused()).isEqualTo(rule);
        assertThat(result.interrupted()).isEmpty();
        assertThat(result.cancelled()).isFalse();
        assertThat(result.started()).isNull();
        assertThat(result.box()).isEqualTo(StoredRuns.BOX);
        assertThat(world.launcher().requests()).isEmpty();
        assertThat(world.runs().run().state()).isEqualTo(State.DONE);
        assertThat(world.directories().present()).isEmpty();
    }

    private void assertCancelledBeforeLaunch() {
        RunResult result = world.result();
        assertThat(result.cancelled()).isTrue();
        assertThat(result.started()).isNull();
        assertThat(result.interrupted()).isEmpty();
        assertThat(world.launcher().requests()).isEmpty();
        assertThat(world.runs().run().state()).isEqualTo(State.DONE);
        assertThat(world.directories().present()).isEmpty();
    }
}

package io.carlos.agent.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun.Outcome;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.runs.Transition;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the worker does about the runs that a pass saw. */
class RunsWorkerTest {
    private final WorkerWorld world = new WorkerWorld();
    private final StoredRuns runs = world.runs();

    @Test
    void a_record_without_a_run_is_nothing_to_act_on() throws Exception {
        world.pass();

        assertThat(world.journal()).isEmpty();
        assertThat(world.worker().executing()).isEmpty();
    }

    @Test
    void a_run_is_acted_on_only_after_the_pass() throws Exception {
        world.queued();

        runs.process().call(() -> {
            world.worker().runSeen(runs.record());
            return null;
        });

        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
    }

    @Test
    void a_run_that_is_seen_again_while_it_executes_is_launched_once() throws Exception {
        world.launcher().script(command -> command.sleep(Duration.ofMinutes(3)));
        InstanceRecord queued = world.queued().runs().record();
        world.after(Duration.ofSeconds(30), () -> {
            world.worker().runSeen(queued); // as a pass that had read it before the pick
            world.worker().act();
        });
        world.after(Duration.ofMinutes(1), world::see);

        world.pass();

        assertThat(world.launcher().requests()).hasSize(1);
        assertThat(world.result().interrupted()).isEmpty();
    }

    @Test
    void an_old_reading_of_a_run_that_is_over_launches_nothing() throws Exception {
        InstanceRecord queued = world.queued().runs().record();
        world.pass();

        runs.process().call(() -> {
            world.worker().runSeen(queued);
            world.worker().act();
            return null;
        });

        assertThat(world.launcher().requests()).hasSize(1);
        assertThat(runs.run().outcome()).isEqualTo(Outcome.FINISHED);
    }

    @Test
    void a_run_is_executing_from_before_its_pick_until_after_its_end() throws Exception {
        boolean[] whilePicking = new boolean[1];
        boolean[] whileFinishing = new boolean[1];
        world.queued();
        runs.store().beforeNext(Call.PUT, key -> key.startsWith("records/"), () -> whilePicking[0] = isExecuting());
        runs.store().beforeNext(Call.PUT, key -> key.startsWith("records/"), () -> whileFinishing[0] = isExecuting());

        world.pass();

        assertThat(whilePicking[0]).isTrue();
        assertThat(whileFinishing[0]).isTrue();
        assertThat(isExecuting()).isFalse();
    }

    @Test
    void a_launch_that_hangs_on_one_host_delays_no_other() throws Exception {
        InstanceRecord other = Records.of("b.example.com").withBox(StoredRuns.BOX);
        runs.create(other);
        world.launcher().plan((request, output) -> {
            if (request.host().equals(other.host())) {
                world.scheduler().sleep(Duration.ofHours(5));
            }
            return world.launcher().start(output, command -> {});
        });
        InstanceRecord hanging = runs.queue(other, StoredRuns.LATER_ID, List.of("command"), WorkerWorld.TIMEOUT);
        world.queued();
        Instant start = runs.now();

        runs.process().fork("pass", () -> {
            world.worker().runSeen(hanging);
            world.see();
        });
        runs.process().run(Duration.ofMinutes(1));

        assertThat(world.result().ended()).isEqualTo(start);
        assertThat(world.worker().executing()).containsExactly(StoredRuns.LATER_ID);
    }

    @Test
    void a_run_of_an_earlier_boot_is_closed_out_with_its_output_and_not_launched() throws Exception {
        world.queued();
        runs.pick(StoredRuns.BOX, "boot-0", WorkerWorld.TIMEOUT);
        runs.putChunk(1, OutputChannel.STDOUT, "so far");

        world.pass();

        assertThat(world.result().interrupted()).isEqualTo("the box's agent restarted");
        assertThat(world.result().lastSeq()).isEqualTo(1);
        assertThat(world.launcher().requests()).isEmpty();
        assertThat(world.journal()).containsExactly("picked", "result.json", "done"); // picked: taken from that boot
    }

    @Test
    void a_run_of_this_boot_that_is_not_executing_is_closed_out_and_not_launched() throws Exception {
        world.queued();
        runs.pick(StoredRuns.BOX, StoredRuns.BOOT, WorkerWorld.TIMEOUT);

        world.pass();

        assertThat(world.result().interrupted()).isEqualTo("start failed");
        assertThat(world.launcher().requests()).isEmpty();
    }

    @Test
    void a_run_that_this_boot_began_and_lost_is_closed_out_as_that() throws Exception {
        world.launcher().script(command -> {
            runs.putChunk(1, OutputChannel.STDOUT, "theirs");
            command.print(OutputChannel.STDOUT, "ours");
        });
        world.queued().pass();
        assertThat(runs.result()).isEmpty();

        world.pass();

        assertThat(world.result().interrupted()).isEqualTo("the box lost the run");
        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void an_abandoned_run_of_another_box_is_closed_out() throws Exception {
        world.queued();
        runs.change(record -> new Transition.Changed(record.withBox("box-2")));
        runs.pick("box-2", "boot-9", WorkerWorld.TIMEOUT);
        world.after(WorkerWorld.TIMEOUT.plus(Duration.ofMinutes(5)), world::see);
        runs.process().run(WorkerWorld.TIMEOUT.plus(Duration.ofMinutes(5)));
        assertThat(runs.result()).isEmpty();

        runs.process().after(Duration.ofSeconds(1), world::see);
        runs.process().run(Duration.ofSeconds(17));

        assertThat(world.result().interrupted()).isEqualTo("the box went away");
        assertThat(world.result().box()).isEqualTo("box-2");
    }

    @Test
    void a_box_whose_clock_is_ninety_seconds_ahead_does_not_expire_what_another_may_still_pick() throws Exception {
        JumpingClock clock = new JumpingClock(runs.process().scheduler());
        WorkerWorld ahead = new WorkerWorld(runs, clock);
        ahead.queued();
        clock.jump(Duration.ofSeconds(90));

        ahead.pass();

        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
        assertThat(runs.result()).isEmpty();
    }

    @Test
    void a_queued_run_past_its_deadline_is_expired_and_not_launched() throws Exception {
        world.queued();
        world.after(Duration.ofSeconds(61), world::see);

        runs.process().run(Duration.ofSeconds(62));

        assertThat(runs.run().outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(world.result().refused()).isEqualTo("expired");
        assertThat(world.launcher().requests()).isEmpty();
    }

    @Test
    void a_queued_run_whose_pick_comes_too_late_is_not_launched() throws Exception {
        world.queued();
        runs.store()
                .beforeNext(
                        Call.GET,
                        key -> key.endsWith("request.json"),
                        () -> runs.process().simulation().pause(Duration.ofSeconds(61)));

        world.pass();

        assertThat(runs.run().state()).isEqualTo(State.QUEUED);
        assertThat(world.launcher().requests()).isEmpty();
        assertThat(world.worker().executing()).isEmpty();
    }

    @Test
    void a_closing_that_fails_is_left_to_the_next_pass() throws Exception {
        world.queued();
        runs.pick(StoredRuns.BOX, "boot-0", WorkerWorld.TIMEOUT);
        runs.store().failNext(Call.PUT, Fault.UNAVAILABLE);
        world.pass();
        assertThat(runs.run().state()).isEqualTo(State.PICKED);

        world.pass();

        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void a_closing_under_way_is_not_begun_again() throws Exception {
        world.queued();
        runs.pick(StoredRuns.BOX, "boot-0", WorkerWorld.TIMEOUT);
        runs.store()
                .beforeNext(
                        Call.PUT, key -> true, () -> runs.process().simulation().pause(Duration.ofMinutes(5)));
        world.after(Duration.ofMinutes(1), world::see);

        world.pass();

        assertThat(runs.store().count(Call.PUT)).isEqualTo(3);
        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void a_run_that_is_picked_while_an_expiry_that_came_to_nothing_is_under_way_stays_executing() {
        // The wall clock was an hour ahead when the expiry began, and was set right before it was done.
        JumpingClock clock = new JumpingClock(runs.process().scheduler());
        WorkerWorld jumping = new WorkerWorld(runs, clock);
        jumping.queued();
        jumping.launcher().script(command -> command.sleep(Duration.ofMinutes(5)));
        runs.store()
                .beforeNext(
                        Call.GET,
                        key -> key.startsWith("records/"),
                        () -> runs.process().simulation().pause(Duration.ofSeconds(30)));
        clock.jump(Duration.ofHours(1));
        runs.process().fork("early", jumping::see);
        runs.process().after(Duration.ofSeconds(10), () -> {
            clock.jump(Duration.ofHours(-1));
            jumping.see();
        });

        runs.process().run(Duration.ofMinutes(1));

        assertThat(runs.run().state()).isEqualTo(State.PICKED);
        assertThat(jumping.worker().executing()).containsExactly(StoredRuns.ID);
    }

    private boolean isExecuting() {
        return world.worker().executing().contains(StoredRuns.ID);
    }
}

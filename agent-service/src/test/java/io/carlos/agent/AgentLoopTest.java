package io.carlos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.reconcile.ClaimPolicy;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.RecordingDirectories;
import io.carlos.agent.runs.RunsContext;
import io.carlos.agent.runs.RunsSettings;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When passes are made; each lists the records once. */
class AgentLoopTest {
    private static final BoxIdentity BOX = new BoxIdentity(StoredRuns.BOX, StoredRuns.BOOT, "r1", List.of());

    private final StoredRuns runs = new StoredRuns();
    private final OneProcess process = runs.process();
    private final Scheduler scheduler = process.scheduler();
    private final List<String> journal = new ArrayList<>();
    private final RecordingDirectories directories = new RecordingDirectories(journal);
    private final ChangeMarker marker = new ChangeMarker(runs.objects(), "r1");
    private final RunsWorker worker = new RunsWorker(new RunsContext(
            BOX,
            runs.store(),
            runs.records(),
            new RunCloser(runs.store(), runs.records(), scheduler),
            Map.of(),
            directories,
            scheduler,
            new Random(3),
            RunsSettings.DEFAULTS));
    private Duration heldBackFor = Duration.ZERO;
    private final Fleet fleet = new Fleet() {
        @Override
        public boolean mayWrite() {
            return true;
        }

        @Override
        public Duration heldBack() {
            Duration left = heldBackFor.minusNanos(scheduler.nanoTime());
            return left.isNegative() ? Duration.ZERO : left;
        }
    };
    private final AgentPulse pulse = new AgentPulse(
            AgentSettings.DEFAULTS,
            fleet,
            new Reconciler(
                    BOX,
                    ClaimPolicy.unowned(record -> true),
                    Fleet.NONE,
                    runs.store(),
                    runs.records(),
                    worker::runSeen,
                    scheduler),
            worker,
            directories,
            new ChangeMarker(runs.store(), "r1"),
            scheduler);
    private boolean ended;

    @Test
    void the_boot_pass_comes_at_once() {
        start();

        process.run(Duration.ofNanos(1));

        assertThat(passes()).isEqualTo(1);
    }

    @Test
    void a_start_that_its_fleet_holds_back_clears_the_box_at_once_and_makes_no_pass_before_its_turn() {
        heldBackFor = Duration.ofMinutes(3);
        start();
        pulse.wake();

        process.run(Duration.ofMinutes(3).minusNanos(1));
        assertThat(journal).containsExactly("sweep");
        assertThat(passes()).isZero();
        process.run(Duration.ofNanos(2));

        assertThat(passes()).isEqualTo(1);
    }

    @Test
    void a_start_that_is_stopped_while_it_is_held_back_ends_without_a_pass() {
        heldBackFor = Duration.ofMinutes(3);
        start();
        process.run(Duration.ofSeconds(1));

        pulse.stop();
        process.run(Duration.ofSeconds(1));

        assertThat(ended).isTrue();
        assertThat(passes()).isZero();
    }

    @Test
    void an_idle_box_makes_a_pass_a_minute_and_a_look_a_second() {
        start();

        process.run(Duration.ofMinutes(10).plusMillis(500));

        assertThat(passes()).isEqualTo(11);
        assertThat(runs.store().count(Call.GET_UNLESS_MATCH)).isEqualTo(601);
    }

    @Test
    void a_marker_that_moves_makes_a_pass_within_the_look_interval() {
        start();
        process.run(Duration.ofSeconds(10).plusMillis(500));

        marker.bump(new Random(1));
        process.run(Duration.ofSeconds(1));

        assertThat(passes()).isEqualTo(2);
    }

    @Test
    void a_marker_that_was_there_before_the_boot_makes_no_second_pass() {
        marker.bump(new Random(1));
        start();

        process.run(Duration.ofSeconds(30));

        assertThat(passes()).isEqualTo(1);
    }

    @Test
    void a_marker_that_moves_during_a_pass_makes_another() {
        runs.store().beforeNext(Call.LIST, prefix -> true, () -> marker.bump(new Random(1)));
        start();

        process.run(Duration.ofSeconds(5));

        assertThat(passes()).isEqualTo(2);
    }

    @Test
    void the_next_regular_pass_is_a_minute_after_the_last_whatever_made_that() {
        start();
        process.after(Duration.ofSeconds(30).plusMillis(500), () -> marker.bump(new Random(1)));

        process.run(Duration.ofSeconds(90));
        assertThat(passes()).isEqualTo(2);
        process.run(Duration.ofSeconds(2));

        assertThat(passes()).isEqualTo(3);
    }

    @Test
    void a_wake_makes_a_pass_at_once() {
        start();
        process.after(Duration.ofMillis(10_300), pulse::wake);

        process.run(Duration.ofMillis(10_301));

        assertThat(passes()).isEqualTo(2);
    }

    @Test
    void a_pass_that_fails_is_made_again_after_the_look_interval() {
        runs.store().failNext(Call.LIST, Fault.UNAVAILABLE);
        start();

        process.run(Duration.ofMillis(900));
        assertThat(passes()).isEqualTo(1);
        process.run(Duration.ofSeconds(5));

        assertThat(passes()).isEqualTo(2);
    }

    @Test
    void a_marker_that_moved_before_a_failed_pass_is_not_forgotten() {
        start();
        process.run(Duration.ofSeconds(10));
        runs.store().failNext(Call.LIST, Fault.UNAVAILABLE);
        marker.bump(new Random(1));

        process.run(Duration.ofSeconds(5));

        assertThat(passes()).isEqualTo(3);
    }

    @Test
    void a_marker_that_cannot_be_read_keeps_no_regular_pass_from_being_made() {
        for (int i = 0; i < 1000; i++) {
            runs.store().failNext(Call.GET_UNLESS_MATCH, Fault.UNAVAILABLE);
        }
        start();

        process.run(Duration.ofMinutes(2).plusSeconds(1));

        assertThat(passes()).isEqualTo(3);
    }

    @Test
    void the_worker_acts_after_each_pass() {
        runs.queue(StoredRuns.ID);
        start();

        process.run(Duration.ofSeconds(1));

        assertThat(runs.run().state()).isEqualTo(State.DONE);
        assertThat(runs.result()).isPresent();
    }

    @Test
    void what_a_failed_pass_had_seen_is_acted_on() {
        runs.create(Records.of("b.example.com").withBox(StoredRuns.BOX));
        runs.queue(StoredRuns.ID);
        runs.store().failNext(Call.GET, key -> key.contains("/b.example.com"), Fault.UNAVAILABLE);
        start();

        process.run(Duration.ofMillis(500));

        assertThat(runs.run().state()).isEqualTo(State.DONE);
    }

    @Test
    void the_box_is_swept_before_the_first_pass() {
        runs.store().beforeNext(Call.LIST, prefix -> true, () -> journal.add("list"));
        start();

        process.run(Duration.ofSeconds(1));

        assertThat(journal).containsExactly("sweep", "list");
    }

    @Test
    void a_sweep_that_fails_is_tried_again_and_no_pass_is_made_before_it_holds() {
        directories.failCalls(3);
        start();

        process.run(Duration.ofMillis(2500));
        assertThat(journal).containsExactly("sweep", "sweep", "sweep");
        assertThat(passes()).isZero();
        process.run(Duration.ofSeconds(1));

        assertThat(journal).hasSize(4);
        assertThat(passes()).isEqualTo(1);
    }

    @Test
    void a_stop_ends_the_loop_at_once() {
        start();
        process.after(Duration.ofMillis(10_300), pulse::stop);

        process.run(Duration.ofMillis(10_301));

        assertThat(ended).isTrue();
        assertThat(passes()).isEqualTo(1);
    }

    @Test
    void a_stop_during_sweeps_that_fail_ends_the_loop_without_a_pass() {
        directories.failCalls(1000);
        start();
        process.after(Duration.ofMillis(1300), pulse::stop);

        process.run(Duration.ofMillis(1301));

        assertThat(ended).isTrue();
        assertThat(passes()).isZero();
    }

    private void start() {
        process.fork("loop", () -> {
            new AgentLoop(pulse, worker).run();
            ended = true;
        });
    }

    private int passes() {
        return runs.store().count(Call.LIST);
    }
}

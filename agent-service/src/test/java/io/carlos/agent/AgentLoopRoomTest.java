package io.carlos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.reconcile.ClaimPolicy;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.RecordingDirectories;
import io.carlos.agent.runs.RunsContext;
import io.carlos.agent.runs.RunsSettings;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.StoredRuns;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AgentLoopRoomTest {
    private static final BoxIdentity BOX = new BoxIdentity(StoredRuns.BOX, StoredRuns.BOOT, "r1", List.of());
    private static final RunId OTHER = RunId.of("run_" + "b".repeat(26));
    private static final RunsSettings ONE_AT_A_TIME =
            new RunsSettings(Duration.ofSeconds(20), Duration.ofSeconds(30), Duration.ofMinutes(5), 1, 1);

    private final StoredRuns runs = new StoredRuns();
    private final OneProcess process = runs.process();
    private final Scheduler scheduler = process.scheduler();

    @Test
    void a_run_beyond_the_bound_stays_queued_and_is_picked_at_the_look_after_there_is_room() {
        InstanceRecord beside = Records.of("b.example.com").withBox(StoredRuns.BOX);
        runs.create(beside);
        runs.queue(List.of("first"), Duration.ofMinutes(1));
        runs.queue(beside, OTHER, List.of("second"), Duration.ofMinutes(1));
        start();

        process.run(Duration.ofSeconds(29));
        assertThat(List.of(state(runs.ref()), state(beside.ref())))
                .containsExactlyInAnyOrder(State.PICKED, State.QUEUED);
        process.run(Duration.ofMillis(2_500));

        assertThat(List.of(state(runs.ref()), state(beside.ref()))).containsExactlyInAnyOrder(State.DONE, State.PICKED);
    }

    private State state(RecordRef ref) {
        return runs.records()
                .read(ref)
                .orElseThrow()
                .record()
                .run()
                .orElseThrow()
                .state();
    }

    /** Its launches take half a minute, and come to nothing. */
    private void start() {
        RunLauncher launcher = (request, output) -> {
            scheduler.sleep(Duration.ofSeconds(30));
            return new LaunchOutcome.Interrupted("told to");
        };
        RecordingDirectories directories = new RecordingDirectories(new ArrayList<>());
        RunsWorker worker = new RunsWorker(new RunsContext(
                BOX,
                runs.store(),
                runs.records(),
                new RunCloser(runs.store(), runs.records(), scheduler),
                Map.of(Isolation.PROCESS, launcher),
                directories,
                scheduler,
                new Random(3),
                ONE_AT_A_TIME));
        AgentPulse pulse = new AgentPulse(
                AgentSettings.DEFAULTS,
                Fleet.NONE,
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
        process.fork("loop", () -> new AgentLoop(pulse, worker).run());
    }
}

package io.carlos.agent.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.AgentLoop;
import io.carlos.agent.AgentPulse;
import io.carlos.agent.AgentSettings;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.MeteringObjectStore.Bill;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.reconcile.ClaimPolicy;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.RecordingDirectories;
import io.carlos.agent.runs.RunsContext;
import io.carlos.agent.runs.RunsSettings;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.fleet.BoxPresence;
import io.carlos.model.fleet.FleetTimes;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.runs.RunFollower;
import io.carlos.model.runs.RunOrder;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunSubmitter;
import io.carlos.model.runs.SubmitOutcome;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler;
import io.carlos.store.InMemoryObjectStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a box asks of its store, request by request; docs/cost.md has the same numbers. */
class CostTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Bill RUN_ON_THE_BOX = new Bill(6, 4, 1);
    private static final Bill RUN_ASKED_FOR = new Bill(2, 3, 0);
    private static final Bill RUN_READ = new Bill(2, 0, 1);

    private final OneProcess process = new OneProcess();
    private final Scheduler scheduler = process.scheduler();
    private final InMemoryObjectStore objects = new InMemoryObjectStore(scheduler::now);
    private final MeteringObjectStore box = new MeteringObjectStore(objects);
    private final MeteringObjectStore operator = new MeteringObjectStore(objects);

    @Test
    void an_idle_box_asks_for_its_marker_each_second_and_lists_and_beats_each_minute() {
        startBox();

        assertThat(anHour("an idle box with one page of records")).isEqualTo(new Bill(3600, 60, 120));
    }

    @Test
    void ten_thousand_records_that_do_not_change_cost_listings_and_no_reads() {
        createRecords(10_000);
        startBox();
        process.run(Duration.ofMinutes(2));

        Bill bill = anHour("an idle box with 10,000 records");

        // Ten full pages and an empty one a pass.
        assertThat(bill).isEqualTo(new Bill(3600, 60, 60 + 60 * 11));
    }

    @Test
    void a_run_costs_a_few_requests_beside_its_chunks() throws Exception {
        createRecords(1);
        startBox();
        process.run(Duration.ofMinutes(2));
        Bill before = box.bill();
        RunRequest[] request = new RunRequest[1];
        process.fork("operator", () -> request[0] = queue());
        process.run(Duration.ofSeconds(10));
        Bill boxs = box.bill().minus(before).minus(idle(Duration.ofSeconds(10)));
        Bill asking = operator.bill();
        process.fork(
                "reader",
                () -> assertThat(new RunFollower(
                                        operator, new RecordStore(operator, scheduler, new Random(5)), scheduler, HOUR)
                                .follow(request[0].recordRef(), request[0].id(), 1, (seq, channel, bytes) -> {}))
                        .isInstanceOf(FollowEnd.Ended.class));
        process.run(Duration.ofSeconds(1));
        Bill reading = operator.bill().minus(asking);

        System.out.println("cost: | a run of one chunk, the box | " + boxs + " |");
        System.out.println("cost: | a run of one chunk, who asks | " + asking + " |");
        System.out.println("cost: | a finished run of one chunk, read once | " + reading + " |");
        assertThat(boxs).isEqualTo(RUN_ON_THE_BOX);
        assertThat(asking).isEqualTo(RUN_ASKED_FOR);
        assertThat(reading).isEqualTo(RUN_READ);
    }

    /** What the same time costs without a run: one look a second. */
    private static Bill idle(Duration time) {
        return new Bill(time.toSeconds(), 0, 0);
    }

    private Bill anHour(String what) {
        process.run(Duration.ofMillis(500));
        Bill before = box.bill();
        process.run(HOUR);
        Bill bill = box.bill().minus(before);
        System.out.println("cost: | " + what + ", an hour | " + bill + " |");
        return bill;
    }

    private void createRecords(int count) {
        RecordStore records = new RecordStore(objects, scheduler, new Random(1));
        for (int i = 0; i < count; i++) {
            records.create(Records.of("h" + i + ".example.com").withBox("b1"));
        }
    }

    private RunRequest queue() throws Exception {
        RecordRef ref = Records.of("h0.example.com").ref();
        RecordStore records = new RecordStore(operator, scheduler, new Random(2));
        RunOrder order = new RunOrder(ref, List.of("true"), Duration.ofMinutes(1), "ann", List.of());
        SubmitOutcome outcome = new RunSubmitter(operator, records, scheduler, new Random(3)).submit(order, file -> {});
        return ((SubmitOutcome.Queued) outcome).request();
    }

    /** A box with all its parts, over the metered store. */
    private void startBox() {
        BoxPresence presence = BoxPresence.begin(box, scheduler, FleetTimes.DEFAULT, "r1", "b1", "boot");
        BoxIdentity identity = new BoxIdentity("b1", "boot", presence.epoch(), "r1", List.of());
        FleetMember fleet = new FleetMember(
                box, scheduler, FleetTimes.DEFAULT, identity, presence, TakeOver.OPERATOR, RecordingListener.unheard());
        RecordStore records = new RecordStore(box, scheduler, new Random(4));
        RecordingDirectories directories = new RecordingDirectories(new ArrayList<>());
        RunsWorker worker = new RunsWorker(new RunsContext(
                identity,
                box,
                records,
                new RunCloser(box, records, scheduler),
                Map.of(Isolation.PROCESS, (request, output) -> {
                    output.write(OutputChannel.STDOUT, new byte[] {'x'}, 0, 1);
                    return new LaunchOutcome.Started(new EndedRun());
                }),
                directories,
                scheduler,
                new Random(6),
                RunsSettings.DEFAULTS,
                fleet));
        Reconciler reconciler = new Reconciler(
                identity, ClaimPolicy.unowned(record -> true), fleet, box, records, worker::runSeen, scheduler);
        AgentPulse pulse = new AgentPulse(
                AgentSettings.DEFAULTS, fleet, reconciler, worker, directories, new ChangeMarker(box, "r1"), scheduler);
        process.fork("fleet", fleet::run);
        process.fork("agent", () -> new AgentLoop(pulse, worker).run());
    }

    /** A command that has printed and ended. */
    private static final class EndedRun implements LaunchedRun {
        private static final CommandEnd END = new CommandEnd.Exited(0, "");

        @Override
        public Optional<CommandEnd> awaitEnd(Duration wait) {
            return Optional.of(END);
        }

        @Override
        public CommandEnd stop(Duration grace) {
            return END;
        }
    }
}

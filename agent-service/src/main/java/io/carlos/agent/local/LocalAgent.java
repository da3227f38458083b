package io.carlos.agent.local;

import io.carlos.agent.AgentLoop;
import io.carlos.agent.AgentPulse;
import io.carlos.agent.AgentSettings;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.VitalTask;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.launch.process.ProcessLauncher;
import io.carlos.agent.local.LocalBoxes.LocalBox;
import io.carlos.agent.reconcile.ClaimPolicy;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.BoxRunDirectories;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.runs.RunsContext;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Tokens;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.time.Scheduler;
import io.carlos.model.time.Scheduler.Task;
import io.carlos.store.ObjectStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An agent inside this process: the parts of a box's agent, with process isolation, over one store. */
public final class LocalAgent {
    private static final Duration RECOVERY_BOUND = Duration.ofSeconds(30);

    private final LocalBox box;
    private final ObjectStore store;
    private final AgentSettings settings;
    private final Handover handover;
    private final RunDirectories directories;
    private final Reconciler reconciler;
    private final RunsWorker worker;
    private final ChangeMarker marker;
    private final AgentPulse pulse;
    private final Scheduler scheduler;
    private @Nullable Task task;
    private @Nullable MarkerWatch watch;

    /** Which records without a box an agent takes, beside those that already name its box. */
    @FunctionalInterface
    public interface Claims {
        /** Every record: for an agent that stays. */
        Claims ALL = host -> true;

        Claims NONE = host -> false;

        boolean takes(Host host);
    }

    /**
     * Puts an agent together; nothing happens before {@link #start} or {@link #recover}.
     *
     * @param box given back by {@link #stop}
     * @param random cryptographic
     */
    public LocalAgent(
            LocalBox box,
            ObjectStore store,
            Claims claims,
            AgentSettings settings,
            Scheduler scheduler,
            RandomGenerator random) {
        this(box, store, claims, settings, scheduler, random, new ProcessLauncher(), UnaryOperator.identity());
    }

    /** @param around what to put around the box's run directories */
    LocalAgent(
            LocalBox box,
            ObjectStore store,
            Claims claims,
            AgentSettings settings,
            Scheduler scheduler,
            RandomGenerator random,
            RunLauncher launcher,
            UnaryOperator<RunDirectories> around) {
        this.box = box;
        this.store = store;
        this.settings = settings;
        this.scheduler = scheduler;
        RecordStore records = new RecordStore(store, scheduler, random);
        BoxIdentity identity = new BoxIdentity(box.name(), Tokens.next(random), LocalBoxes.REGION, List.of());
        this.directories = around.apply(new BoxRunDirectories(
                box.dataDirectory(), store, () -> ProcessLauncher.killLeftovers(box.dataDirectory())));
        Map<Isolation, RunLauncher> launchers = Map.of(Isolation.PROCESS, launcher);
        this.worker = new RunsWorker(new RunsContext(
                identity,
                store,
                records,
                new RunCloser(store, records, scheduler),
                launchers,
                directories,
                scheduler,
                random,
                settings.runs()));
        Predicate<InstanceRecord> claimable =
                record -> launchers.containsKey(record.isolation()) && claims.takes(record.host());
        this.reconciler = new Reconciler(
                identity, ClaimPolicy.unowned(claimable), Fleet.NONE, store, records, worker::runSeen, scheduler);
        this.marker = new ChangeMarker(store, LocalBoxes.REGION);
        this.handover = new Handover(box.name(), store, records, marker, random);
        this.pulse = new AgentPulse(settings, Fleet.NONE, reconciler, worker, directories, marker, scheduler);
    }

    /** Starts its loop on a task of its own. */
    public void start() {
        watch = MarkerWatch.start(store, marker, pulse::wake);
        task = VitalTask.fork(scheduler, "agent " + box.name(), new AgentLoop(pulse, worker)::run);
    }

    /** Makes it look for runs at once. */
    public void wake() {
        pulse.wake();
    }

    /**
     * Cleans up after an agent of this box that ended without doing so: kills what is left of its commands, closes out its
     * runs and leaves its records to others. Starts no run.
     *
     * @throws io.carlos.store.StoreException the store failed; calling again is safe
     */
    public void recover() throws IOException, InterruptedException {
        directories.sweep();
        worker.drain();
        reconciler.pass();
        worker.act();
        worker.stop(RECOVERY_BOUND);
        handover.release();
    }

    /** Stops executing runs, waits for their end within the settings' bound, and gives records and box back. */
    public void stop() throws IOException, InterruptedException {
        try {
            pulse.stop();
            worker.stop(settings.stopBound());
            if (watch != null) {
                watch.close();
            }
            if (task != null) {
                task.join(); // a pass that is under way may still claim records, which are released next
            }
            handover.tryRelease();
        } finally {
            box.close();
        }
    }
}

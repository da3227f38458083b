package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.logs.InstanceLogs;
import io.carlos.agent.reconcile.InstanceSink;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Seed;
import io.carlos.model.time.Scheduler;
import io.carlos.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The instances of a box. Operations of one host take turns, those of different hosts go side by side; each is done on a task of its
 * own, so that it does not matter whether its caller waits.
 *
 * <p>An instance that has crashed, or whose start failed, stays down until it is woken. What wakes it: an operator's start; the
 * agent's own start; its record coming to this box; a run that is to be executed beside it. A box that is not ready wakes nothing,
 * and does so as soon as it is.
 *
 * <p>When the agent ends, the units are left to systemd, which stops them with the agent.
 */
public final class Instances implements InstanceSink {
    private static final Logger log = LoggerFactory.getLogger(Instances.class);

    private static final String WATCH = "watch ";

    private final ControlChannel channel;
    private final InstanceTable table;
    private final InstanceLogs logs;
    private final SeedCommit commit;
    private final InstanceSettings settings;
    private final Scheduler scheduler;
    private final Units units;
    private final InstanceStart starts;
    private final Tasks tasks;
    private final RecordFollower follower;
    private final Wakes wakes;
    private final Map<Host, Lane> lanes = new ConcurrentHashMap<>();
    private final Lane.Listener listener = new LaneListener();

    public Instances(
            ControlChannel channel,
            InstanceTable table,
            InstanceLogs logs,
            SeedCommit commit,
            BoxPaths paths,
            InstanceSettings settings,
            Scheduler scheduler) {
        this.channel = channel;
        this.table = table;
        this.logs = logs;
        this.commit = commit;
        this.settings = settings;
        this.scheduler = scheduler;
        this.units = new Units(channel, logs, paths, settings, scheduler);
        this.starts = new InstanceStart(units, settings, scheduler);
        this.tasks = new Tasks(scheduler);
        this.wakes = new Wakes(tasks, settings.wakeInterval(), scheduler);
        this.follower = new RecordFollower(table);
    }

    /** What this box has, in the order of the hosts. */
    public List<InstanceRow> rows() {
        return table.rows().stream()
                .filter(row -> row.desired() != Desired.GONE)
                .toList();
    }

    public Optional<InstanceRow> row(Host host) {
        return table.row(host).filter(row -> row.desired() != Desired.GONE);
    }

    /** Starts it, also one that was stopped or has crashed; done when its socket accepts. */
    public CompletableFuture<OperationOutcome> start(Host host) {
        return submit(host, "start", this::start);
    }

    /**
     * Stops it and all that runs beside it; it stays stopped, also over restarts of the agent, until somebody starts it.
     *
     * @param reason one sentence, kept in the row and told to a command that is interrupted
     */
    public CompletableFuture<OperationOutcome> stop(Host host, String reason) {
        return submit(host, "stop", lane -> lane.stop(Desired.STOPPED, reason));
    }

    /** Stops and starts it, also one that did not run. */
    public CompletableFuture<OperationOutcome> restart(Host host) {
        return submit(host, "restart", lane -> {
            OperationOutcome stopped = lane.stop(Desired.RUN, "it is restarted");
            return stopped instanceof OperationOutcome.Done ? start(lane) : stopped;
        });
    }

    private OperationOutcome start(Lane lane) throws IOException, InterruptedException {
        return wakes.haveBegun()
                ? lane.start(true)
                : new OperationOutcome.NotReady(lane.host(), "the agent has not cleared the box yet");
    }

    /** Starts the sidecar of an instance that runs. */
    public CompletableFuture<OperationOutcome> startSidecar(Host host) {
        return submit(host, "start sidecar", Lane::startSidecar);
    }

    public CompletableFuture<OperationOutcome> stopSidecar(Host host) {
        return submit(host, "stop sidecar", Lane::stopSidecar);
    }

    /** An operation on a lane. */
    @FunctionalInterface
    private interface Operation {
        OperationOutcome on(Lane lane) throws IOException, InterruptedException;
    }

    private CompletableFuture<OperationOutcome> submit(Host host, String name, Operation operation) {
        CompletableFuture<OperationOutcome> outcome = new CompletableFuture<>();
        if (row(host).isEmpty()) {
            outcome.complete(new OperationOutcome.NoInstance(host));
            return outcome;
        }
        boolean forked = tasks.fork(name + " " + host, () -> {
            try {
                outcome.complete(operation.on(lane(host)));
            } catch (InterruptedException e) {
                outcome.complete(ending(host));
                throw e;
            } catch (IOException e) {
                log.error("instances: {}: host={} cause={}", name, host, e.getMessage());
                outcome.complete(new OperationOutcome.Failed(
                        host, "what is wanted of it cannot be written down: " + e.getMessage()));
            } catch (RuntimeException e) {
                log.error("instances: {}: host={}: a defect", name, host, e);
                outcome.completeExceptionally(e);
            }
        });
        if (!forked) {
            outcome.complete(ending(host));
        }
        return outcome;
    }

    private static OperationOutcome ending(Host host) {
        return new OperationOutcome.Failed(host, "the agent is ending");
    }

    /**
     * Stops every unit on the box, whoever started it. To be called before {@link #begin}, until it holds: nothing is started before.
     *
     * @throws IOException the control service did not do it, or not all
     */
    public void sweep() throws IOException, InterruptedException {
        try {
            List<String> stopped = channel.sweep();
            log.info("boot: swept: units={}", stopped);
        } catch (ControlException e) {
            throw new IOException("boot: the units of an earlier start are not stopped: " + e.getMessage(), e);
        }
        for (InstanceRow row : table.rows()) {
            lane(row.host()).swept();
        }
    }

    /** Instead of {@link #sweep}: takes over what is said to run. What it prints is lost until it is started again. */
    public void keep() throws IOException {
        for (InstanceRow row : rows()) {
            if (row.state() == InstanceState.RUNNING && row.invocation() != null) {
                lane(row.host())
                        .adopt(new RunningUnit(
                                row.host(), Role.RUN, row.invocation(), logs.open(row.host(), Role.RUN)));
            }
        }
    }

    /** From now on instances are started; those that should run are at once. */
    public void begin() {
        wakes.begin();
        rows().forEach(row -> wake(row.host()));
    }

    /** Starts the instance if it should run and does not, as soon as the box is ready; nobody waits for that. */
    public void wake(Host host) {
        if (row(host).isPresent()) {
            wakes.wake(lane(host));
        }
    }

    @Override
    public void owned(List<InstanceRecord> owned, Set<RecordRef> undecided) {
        for (Host host : follower.see(owned, undecided)) {
            tasks.fork("follow " + host, () -> follow(lane(host)));
        }
        for (InstanceRecord record : owned) {
            row(record.host()).filter(row -> isCommitDue(row, record)).ifPresent(this::commitSeed);
        }
    }

    private void follow(Lane lane) throws IOException, InterruptedException {
        if (follower.follow(lane)) {
            wakes.wake(lane);
        }
        if (row(lane.host()).isEmpty()) {
            logs.forget(lane.host());
        }
    }

    private static boolean isCommitDue(InstanceRow row, InstanceRecord record) {
        Seed seed = record.seed();
        return row.seedCommitted()
                && row.incarnation().equals(record.incarnation())
                && seed != null
                && seed.kind() == Seed.Kind.FRESH
                && seed.state() == Seed.State.PLACED;
    }

    /** An import's is committed by whoever imports. */
    private void commitSeed(InstanceRow row) {
        if (row.seed() == null || row.seed().kind() != Seed.Kind.FRESH) {
            return;
        }
        tasks.fork("commit " + row.host(), () -> {
            try {
                commit.committed(row.record(), row.incarnation());
            } catch (StoreException | RecordContendedException e) {
                log.warn("instances: seed not committed in its record: host={} cause={}", row.host(), e.getMessage());
            }
        });
    }

    private void watch(Lane lane, RunningUnit unit) {
        tasks.fork(WATCH + unit.role() + " " + unit.host(), () -> {
            while (lane.isCurrent(unit)) {
                if (units.seemsEnded(unit)) {
                    lane.ended(unit);
                }
                scheduler.sleep(settings.watchInterval());
            }
        });
    }

    /** The lane of a host that has a row. */
    Lane lane(Host host) {
        return lanes.computeIfAbsent(
                host, h -> new Lane(h, new HostRow(h, table, scheduler), units, starts, listener, scheduler));
    }

    Units units() {
        return units;
    }

    /** What is being done besides watching, by name. */
    List<String> underWay() {
        return tasks.underWay().stream().filter(name -> !name.startsWith(WATCH)).toList();
    }

    /** Ends what the agent does for its instances; what runs of them is left alone. */
    public void close() throws InterruptedException {
        tasks.close();
        for (Lane lane : lanes.values()) {
            for (RunningUnit unit : lane.current()) {
                unit.log().finish(Duration.ZERO);
            }
        }
    }

    private final class LaneListener implements Lane.Listener {
        @Override
        public void started(Lane lane, RunningUnit unit) {
            watch(lane, unit);
        }

        @Override
        public void seeded(InstanceRow row) {
            commitSeed(row);
        }
    }
}

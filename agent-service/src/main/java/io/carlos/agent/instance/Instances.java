package io.carlos.agent.instance;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.logs.InstanceLogs;
import io.carlos.agent.reconcile.InstanceSink;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
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
    private static final String NOT_CLEARED = "the agent has not cleared the box yet";

    private final InstanceTable table;
    private final InstanceLogs logs;
    private final SeedCommits commits;
    private final Scheduler scheduler;
    private final Units units;
    private final InstanceStart starts;
    private final Tasks tasks;
    private final RecordFollower follower;
    private final Wakes wakes;
    private final Watches watches;
    private final Sweeps sweeps;
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
        this.table = table;
        this.logs = logs;
        this.scheduler = scheduler;
        this.units = new Units(channel, logs, paths, settings, scheduler);
        this.starts = new InstanceStart(units, settings, scheduler);
        this.tasks = new Tasks(scheduler);
        this.commits = new SeedCommits(commit, tasks);
        this.sweeps = new Sweeps(channel, units.directories(), tasks, settings, scheduler);
        this.wakes = new Wakes(tasks, settings.wakeInterval(), scheduler);
        this.watches = new Watches(tasks, units, settings, scheduler);
        this.follower = new RecordFollower(table, units.directories(), logs, scheduler);
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

    /** Starts it, also one that was stopped or has crashed; done when its socket takes a connection. */
    public CompletableFuture<OperationOutcome> start(Host host) {
        return submit(host, "start", lane -> start(lane, true));
    }

    /**
     * Stops it and all that runs beside it; it stays stopped, also over restarts of the agent, until somebody starts it.
     *
     * @param reason one sentence, kept in the row and told to a command that is interrupted
     */
    public CompletableFuture<OperationOutcome> stop(Host host, String reason) {
        return submit(host, "stop", lane -> lane.stop(Desired.STOPPED, reason));
    }

    /** Stops and starts it, also one that did not run; one that somebody else stops meanwhile stays stopped. */
    public CompletableFuture<OperationOutcome> restart(Host host) {
        return submit(host, "restart", lane -> {
            OperationOutcome stopped = lane.stop(Desired.RUN, "it is restarted");
            return stopped instanceof OperationOutcome.Done ? start(lane, false) : stopped;
        });
    }

    private OperationOutcome start(Lane lane, boolean asked) throws IOException, InterruptedException {
        OperationOutcome outcome;
        if (wakes.haveBegun()) {
            outcome = lane.start(asked);
        } else {
            outcome = asked ? lane.startLater(NOT_CLEARED) : new OperationOutcome.NotReady(lane.host(), NOT_CLEARED);
        }
        if (outcome instanceof OperationOutcome.NotReady) {
            wakes.wake(lane);
        }
        return outcome;
    }

    /** Starts the sidecar of an instance that runs. */
    public CompletableFuture<OperationOutcome> startSidecar(Host host) {
        return submit(
                host,
                "start sidecar",
                lane -> wakes.haveBegun() ? lane.startSidecar() : new OperationOutcome.NotReady(host, NOT_CLEARED));
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
                        host,
                        "what is wanted of it cannot be written down, and the agent's next start will not know of it: "
                                + e.getMessage()));
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
     * When the control service has named units that do not stop, it holds all the same: their hosts are held back until they have.
     *
     * @throws IOException the control service did not do it, or did not say what is left
     */
    public void sweep() throws IOException, InterruptedException {
        sweeps.clear(
                allLanes().stream().filter(lane -> lane.row().any().isPresent()).toList(), wakes::wake);
    }

    /**
     * Stops every unit on the box, whoever started it, and commands as well. What is wanted of the instances stays: what should run is
     * started by the next that wakes it.
     *
     * @param reason one sentence, kept in the rows and told to commands
     * @return the names of units that the control service has stopped
     * @throws IOException it did not do it, or not all; the box's own instances are stopped all the same, or being stopped, and
     *     not started before
     */
    public List<String> stopAll(String reason) throws IOException, InterruptedException {
        return sweeps.stopAll(this::allLanes, reason, wakes::wake);
    }

    /** What sweeps keep from being started. */
    public HeldBack heldBack() {
        return sweeps.heldBack();
    }

    private Collection<Lane> allLanes() {
        table.rows().forEach(row -> lane(row.host()));
        return lanes.values();
    }

    /** From now on instances are started; those that should run are at once. */
    public void begin() {
        wakes.begin();
        rows().forEach(row -> wake(row.host()));
    }

    /** Whether {@link #begin} was called: before that, what an earlier agent left may run. */
    public boolean begun() {
        return wakes.haveBegun();
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
            row(record.host()).ifPresent(row -> commits.commitIfDue(row, record));
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

    /** The lane of a host that has a row, or is about to get one. */
    Lane lane(Host host) {
        Lane lane = lanes.computeIfAbsent(
                host, h -> new Lane(h, new HostRow(h, table, scheduler), units, starts, listener, scheduler));
        sweeps.meet(lane); // once it is among the lanes: a sweep that did not find it there has begun before
        return lane;
    }

    Units units() {
        return units;
    }

    /** What is being done besides watching, by name. */
    List<String> underWay() {
        return tasks.underWay().stream().filter(name -> !Watches.isWatch(name)).toList();
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
            watches.watch(lane, unit);
        }

        @Override
        public void seeded(InstanceRow row) {
            commits.commit(row);
        }
    }
}

package io.carlos.agent.instance;

import io.carlos.agent.instance.OperationOutcome.Done;
import io.carlos.agent.instance.OperationOutcome.Failed;
import io.carlos.agent.instance.OperationOutcome.NoInstance;
import io.carlos.agent.instance.OperationOutcome.NotReady;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Role;
import io.carlos.model.records.Isolation;
import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One host's instance on this box. Its operations take turns; a stop makes a start that is under way give up, and waits for it.
 *
 * <p>A unit that runs ends in one of two ways here: by a stop, or by {@link #ended} when its watch saw an end. Whichever has the
 * turn first takes the unit, and the other finds none.
 */
final class Lane {
    private static final Logger log = LoggerFactory.getLogger(Lane.class);

    private final Host host;
    private final HostRow row;
    private final Units units;
    private final InstanceStart starts;
    private final Listener listener;
    private final Scheduler scheduler;
    private final LaneTurn turn;
    private volatile @Nullable RunningUnit run;
    private volatile @Nullable RunningUnit sidecar;

    Lane(Host host, HostRow row, Units units, InstanceStart starts, Listener listener, Scheduler scheduler) {
        this.host = host;
        this.row = row;
        this.units = units;
        this.starts = starts;
        this.listener = listener;
        this.scheduler = scheduler;
        this.turn = new LaneTurn(scheduler, this::cutSeed);
    }

    /** Told by the thread that has the lane's turn; must not block. */
    interface Listener {
        /** To be watched, and {@link Lane#ended} called when it seems to have ended. */
        void started(Lane lane, RunningUnit unit);

        /** The seed has succeeded. */
        void seeded(InstanceRow row);
    }

    Host host() {
        return host;
    }

    HostRow row() {
        return row;
    }

    LaneTurn turn() {
        return turn;
    }

    boolean isCurrent(RunningUnit unit) {
        return unit.equals(run) || unit.equals(sidecar);
    }

    /** The units that were started and not stopped yet. */
    List<RunningUnit> current() {
        return Stream.of(run, sidecar).filter(Objects::nonNull).toList();
    }

    /** @param asked by an operator, who also starts what was stopped; anybody else only what should run */
    OperationOutcome start(boolean asked) throws IOException, InterruptedException {
        return turn.take(() -> {
            InstanceRow found = row.find().orElse(null);
            if (found == null) {
                return new NoInstance(host);
            }
            if (found.isolation() != Isolation.UNIT) {
                return new Failed(host, "its isolation is " + found.isolation() + ", which has no units");
            }
            found = asked ? want(found) : found;
            return run != null || found.desired() != Desired.RUN ? new Done(found) : start(found);
        });
    }

    /** An operator's start, for which it is too early: a wake does it once it is not. */
    OperationOutcome startLater(String reason) throws IOException, InterruptedException {
        return turn.take(() -> {
            Optional<InstanceRow> found = row.find();
            if (found.isEmpty()) {
                return new NoInstance(host);
            }
            want(found.get());
            return new NotReady(host, reason);
        });
    }

    private InstanceRow want(InstanceRow found) throws IOException {
        return found.desired() == Desired.RUN ? found : row.put(found.withDesired(Desired.RUN));
    }

    private OperationOutcome start(InstanceRow found) throws InterruptedException {
        try {
            RunningUnit unit = starts.start(found, new StartProgress());
            run = unit;
            InstanceRow running = row.note(row.current().running(unit.invocation(), scheduler.now()));
            listener.started(this, unit);
            log.info("instance: running: host={} invocation={}", host, unit.invocation());
            return new Done(running);
        } catch (StartFailedException e) {
            String reason = String.valueOf(e.getMessage());
            if (!row.current().reason().equals(reason)) {
                log.warn("instance: start failed: host={} cause={}", host, reason);
            }
            row.at(InstanceState.FAILED, reason);
            // One that is being stopped is not tried again by itself, whatever made it fail.
            boolean again = e.isBoxNotReady() && !turn.commands().isStopping();
            return again ? new NotReady(host, reason) : new Failed(host, reason);
        }
    }

    /**
     * Stops all of the instance's units; returns when nothing of them runs, and what is wanted of it is durable.
     *
     * @throws IOException nothing of them runs, and what is wanted could not be made durable
     */
    OperationOutcome stop(Desired wanted, String reason) throws IOException, InterruptedException {
        return turn.takeToStop(reason, () -> stopInTurn(wanted, reason));
    }

    OperationOutcome stopInTurn(Desired wanted, String reason) throws IOException, InterruptedException {
        InstanceRow found = row.find().orElse(null);
        if (found == null) {
            return new NoInstance(host);
        }
        // Only noted: a full disk must keep nothing running.
        row.note(found.withDesired(wanted).withState(InstanceState.STOPPING, reason, scheduler.now()));
        stopUnits(reason);
        log.info("instance: stopped: host={} cause={}", host, reason);
        return new Done(row.settle(InstanceState.STOPPED, reason));
    }

    /** In its turn: stops whatever this agent knows of, and what it does not. Commands are told, unless the turn has told them. */
    void stopUnits(String reason) throws InterruptedException {
        turn.commands().stopping(reason);
        try {
            boolean commands = !turn.commands().isEmpty();
            if (commands) {
                units.stop(host, Role.CMD);
            }
            endSidecar();
            end(run, Role.RUN);
            run = null;
            if (commands) {
                // A launcher that had looked before it was told may have started its unit after that stop.
                units.awaitReleased(turn.commands());
                units.stop(host, Role.CMD);
            }
            clearRun();
        } finally {
            turn.commands().stopped();
        }
    }

    /** What is left in there is memory of all tenants, as soon as nobody of this one is left. */
    private void clearRun() {
        try {
            turn.commands().ifEmpty(() -> units.directories().clearRun(InstanceId.of(host)));
        } catch (IOException e) {
            log.warn("instance: run directory not cleared: host={} cause={}", host, e.getMessage());
        }
    }

    private void cutSeed() throws InterruptedException {
        if (row.isAt(InstanceState.SEEDING)) {
            units.tryStop(host, Role.SEED);
        }
    }

    private void endSidecar() throws InterruptedException {
        end(sidecar, Role.SIDECAR);
        sidecar = null;
    }

    private void end(@Nullable RunningUnit unit, Role role) throws InterruptedException {
        if (unit == null) {
            units.stop(host, role);
        } else {
            units.end(unit);
        }
    }

    OperationOutcome startSidecar() throws IOException, InterruptedException {
        return turn.take(() -> {
            InstanceRow found = row.find().orElse(null);
            if (found == null) {
                return new NoInstance(host);
            }
            if (run == null) {
                return new Failed(host, "the instance does not run, and a sidecar runs only beside it");
            }
            return sidecar == null ? startSidecar(found) : new Done(found);
        });
    }

    private OperationOutcome startSidecar(InstanceRow found) throws InterruptedException {
        try {
            RunningUnit unit = starts.startSidecar(found, new StartProgress());
            sidecar = unit;
            listener.started(this, unit);
            return new Done(found);
        } catch (StartFailedException e) {
            String reason = "its sidecar: " + e.getMessage();
            return e.isBoxNotReady() ? new NotReady(host, reason) : new Failed(host, reason);
        }
    }

    OperationOutcome stopSidecar() throws IOException, InterruptedException {
        return turn.take(() -> {
            endSidecar();
            Optional<InstanceRow> found = row.find();
            return found.isPresent() ? new Done(found.get()) : new NoInstance(host);
        });
    }

    /** The unit seems to have ended by itself: proves that by stopping it, and stands the instance down. */
    void ended(RunningUnit unit) throws IOException, InterruptedException {
        turn.take(() -> standDown(unit));
    }

    private InstanceRow standDown(RunningUnit unit) throws InterruptedException {
        if (unit.equals(sidecar)) {
            sidecar = null;
            log.warn(
                    "instance: sidecar ended: host={} cause={}",
                    host,
                    units.end(unit).words());
        } else if (unit.equals(run)) {
            String words = "the program " + units.end(unit).words();
            run = null;
            endSidecar();
            clearRun();
            // Whoever stops everything ends the units first, and takes the turns then.
            if (turn.commands().isStopping()) {
                return row.at(InstanceState.STOPPED, turn.commands().reason());
            }
            log.warn("instance: crashed: host={} cause={}", host, words);
            row.at(InstanceState.CRASHED, words);
        }
        return row.current();
    }

    /** After the agent's start: nothing of it runs, since it was stopped with everything on the box. */
    void swept() throws IOException, InterruptedException {
        turn.take(() -> {
            units.forget(host);
            return atRest("the agent was started anew");
        });
    }

    /**
     * As {@link #stop}, but what is wanted of it stays.
     *
     * @param left roles of which something may run besides what this agent knows of
     */
    void stopForNow(String reason, Set<Role> left) throws IOException, InterruptedException {
        turn.takeToStop(reason, () -> {
            for (Role role : left) {
                units.stop(host, role);
            }
            stopUnits(reason);
            return atRest(reason);
        });
    }

    /** Whether anything of it may run, as far as this agent knows. */
    boolean mayRun() {
        return row.find().isPresent()
                || !current().isEmpty()
                || !turn.commands().isEmpty();
    }

    private Optional<InstanceRow> atRest(String reason) {
        return row.any().map(found -> switch (found.state()) {
            case SEEDING, STARTING, RUNNING, STOPPING -> row.at(InstanceState.STOPPED, reason);
            case STOPPED, CRASHED, FAILED -> found;
        });
    }

    private final class StartProgress implements InstanceStart.Progress {
        @Override
        public void at(InstanceState state) {
            row.at(state, "");
        }

        @Override
        public void seeded() throws IOException {
            listener.seeded(row.put(row.current().withSeedCommitted()));
        }

        @Override
        public boolean isCancelled() {
            return turn.commands().isStopping();
        }

        @Override
        public boolean ifAlone(IoTask task) throws IOException {
            return sidecar == null && turn.commands().ifEmpty(task);
        }
    }
}

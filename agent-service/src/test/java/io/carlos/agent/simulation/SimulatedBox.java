package io.carlos.agent.simulation;

import io.carlos.agent.AgentLoop;
import io.carlos.agent.AgentPulse;
import io.carlos.agent.AgentSettings;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.fleet.TakeOver;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.reconcile.ClaimPolicy;
import io.carlos.agent.reconcile.Reconciler;
import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.runs.RunsContext;
import io.carlos.agent.runs.RunsSettings;
import io.carlos.agent.runs.RunsWorker;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordStore;
import io.carlos.model.runs.ChangeMarker;
import io.carlos.model.runs.RunCloser;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.ObjectStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;

/** A box: an agent of the real parts, started again whenever it dies, over a disk that lives on. */
final class SimulatedBox {
    private static final AgentSettings SETTINGS = new AgentSettings(
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            new RunsSettings(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(1), 64, 8));

    private final World world;
    private final String name;
    private final String region;
    private final boolean goesForGood;
    private final Remains remains = new Remains();
    private SimulatedProcess agent;
    private int boots;

    /** @param goesForGood whether it dies for good before the calm */
    SimulatedBox(World world, String name, String region, boolean goesForGood) {
        this.world = world;
        this.name = name;
        this.region = region;
        this.goesForGood = goesForGood;
    }

    String name() {
        return name;
    }

    String region() {
        return region;
    }

    /** The agent's process, if one lives now. */
    Optional<SimulatedProcess> process() {
        return Optional.ofNullable(agent).filter(process -> !process.isKilled());
    }

    boolean isFrozen() {
        return process().filter(SimulatedProcess::isFrozen).isPresent();
    }

    /** Boots now and again after every end, for as long as the world or the box lasts. */
    void live() {
        world.network().fork(name + " power", () -> {
            Boot boot = boot();
            while (!isGoneAfter(boot)) {
                Random random = world.random();
                if (random.nextBoolean()) {
                    world.trace(name + ": killed");
                    boot.process().kill();
                } else {
                    boot.stop(world);
                }
                world.pause(Duration.ofMillis(500 + random.nextInt(20_000)));
                boot = boot();
            }
        });
    }

    /** Waits for the end of an agent's life, whatever brings it about. */
    private boolean isGoneAfter(Boot boot) {
        Random random = world.random();
        long life = 1_000L + random.nextInt(random.nextInt(3) == 0 ? 60_000 : 3_000_000);
        Instant until = world.trueTime().plusMillis(life);
        while (!boot.process().isKilled()) {
            boolean troubled = !world.isCalm();
            if (goesForGood && (!troubled || random.nextInt(40) == 0)) {
                world.trace(name + ": gone for good");
                boot.process().kill();
                return true;
            }
            if (troubled && world.troubles().crashes() && world.trueTime().isAfter(until)) {
                return false;
            }
            world.pause(Duration.ofSeconds(2));
        }
        return false;
    }

    /** One start of the agent. */
    private record Boot(SimulatedProcess process, AgentPulse pulse, RunsWorker worker) {
        /** What systemd does with an agent: a stop in good order, and kill -9 when that takes too long. */
        void stop(World world) {
            world.trace("an agent stops in good order");
            if (process.isKilled()) {
                return;
            }
            process.fork("stop", () -> {
                try {
                    pulse.stop();
                    worker.stop(SETTINGS.stopBound());
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            world.pause(SETTINGS.stopBound().plusSeconds(5));
            process.kill();
        }
    }

    /** Puts an agent together: the one place where a box's parts are made. */
    private Boot boot() {
        String bootId = name + "-boot-" + ++boots;
        world.trace(bootId + ": boots");
        SimulatedProcess process = world.process(bootId);
        agent = process;
        ObjectStore store = store(process, bootId);
        RandomGenerator random = world.tokens();
        RecordStore records = new RecordStore(store, process, random);
        BoxIdentity identity = new BoxIdentity(name, bootId, region, List.of());
        Fleet fleet = world.isFleet() ? new SimulatedFleet(world, process, store, identity, remains) : Fleet.NONE;
        RunDirectories directories = new SimulatedDirectories(world, process, remains, bootId);
        Map<Isolation, RunLauncher> launchers = Map.of(Isolation.PROCESS, launcher(process, bootId));
        RunsWorker worker = new RunsWorker(new RunsContext(
                identity,
                store,
                records,
                new RunCloser(store, records, process),
                launchers,
                directories,
                process,
                random,
                runsSettings(),
                fleet));
        Reconciler reconciler = new Reconciler(
                identity,
                new ClaimPolicy(record -> true, Integer.MAX_VALUE, TakeOver.AUTOMATIC),
                fleet,
                store,
                records,
                worker::runSeen,
                process);
        AgentPulse pulse = new AgentPulse(
                SETTINGS, fleet, reconciler, worker, directories, new ChangeMarker(store, region), process);
        Boot boot = new Boot(process, pulse, worker);
        process.fork("loop", () -> {
            try {
                if (fleet instanceof SimulatedFleet simulated) {
                    simulated.join(pulse, () -> world.network().fork(bootId + " ends", () -> boot.stop(world)));
                }
                new AgentLoop(pulse, worker).run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return boot;
    }

    private RunsSettings runsSettings() {
        RunsSettings runs = SETTINGS.runs();
        boolean tooLong = world.variant() == Variant.LEASE_NEVER_ENDS;
        Duration allowance = runs.endAllowance().plus(tooLong ? BrokenStore.LEASE_TOO_LONG : Duration.ZERO);
        return new RunsSettings(runs.stopGrace(), runs.recordLook(), allowance, world.room(), world.room());
    }

    private ObjectStore store(SimulatedProcess process, String bootId) {
        ObjectStore store =
                new SimulatedStore(world, process, () -> world.ledger().passBegins(bootId, remains));
        return world.variant() == Variant.AS_IT_IS ? store : new BrokenStore(world, process, name, bootId, store);
    }

    private RunLauncher launcher(SimulatedProcess process, String bootId) {
        RunLauncher launcher = new SimulatedLauncher(world, process, remains, bootId);
        if (world.variant() != Variant.LAUNCH_RETRIED) {
            return launcher;
        }
        return (request, output) -> {
            LaunchOutcome outcome = launcher.launch(request, output);
            return world.random().nextInt(5) == 0 ? launcher.launch(request, output) : outcome;
        };
    }
}

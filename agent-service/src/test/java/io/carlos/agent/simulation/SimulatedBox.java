package io.carlos.agent.simulation;

import io.carlos.agent.AgentLoop;
import io.carlos.agent.AgentPulse;
import io.carlos.agent.AgentSettings;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
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
import io.carlos.model.runs.RunId;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.ObjectStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A box: an agent of the real parts, started again whenever it dies, over a disk that lives on. */
final class SimulatedBox {
    private static final AgentSettings SETTINGS = new AgentSettings(
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            new RunsSettings(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(1)));

    private final World world;
    private final String name;
    private final Set<RunId> disk = new HashSet<>();
    private int boots;

    SimulatedBox(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** Boots now and again after every end, for as long as the world lasts. */
    void live() {
        world.network().fork(name + " power", () -> {
            while (true) {
                Boot boot = boot();
                Random random = world.random();
                long life = 1_000L + random.nextInt(random.nextInt(3) == 0 ? 60_000 : 3_000_000);
                long until =
                        world.network().nanoTime() + Duration.ofMillis(life).toNanos();
                while (!boot.process().isKilled()
                        && (world.isCalm()
                                || world.trouble() == Trouble.LONG_OUTAGE
                                || world.network().nanoTime() < until)) {
                    world.pause(Duration.ofSeconds(2));
                }
                if (random.nextBoolean()) {
                    world.trace(name + ": killed");
                    boot.process().kill();
                } else {
                    boot.stop(world);
                }
                world.pause(Duration.ofMillis(500 + random.nextInt(20_000)));
            }
        });
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

    private Boot boot() {
        String bootId = name + "-boot-" + ++boots;
        world.trace(bootId + ": boots");
        SimulatedProcess process = world.process(bootId, lag());
        ObjectStore store = store(process, bootId);
        RandomGenerator random = world.tokens();
        RecordStore records = new RecordStore(store, process, random);
        BoxIdentity identity = new BoxIdentity(name, bootId, World.REGION, List.of());
        RunDirectories directories = new SimulatedDirectories(world, process, disk);
        Map<Isolation, RunLauncher> launchers = Map.of(Isolation.PROCESS, launcher(process));
        RunsWorker worker = new RunsWorker(new RunsContext(
                identity,
                store,
                records,
                new RunCloser(store, records, process),
                launchers,
                directories,
                process,
                random,
                SETTINGS.runs()));
        Reconciler reconciler = new Reconciler(
                identity, ClaimPolicy.unowned(record -> true), Fleet.NONE, store, records, worker::runSeen, process);
        AgentPulse pulse = new AgentPulse(
                SETTINGS, reconciler, worker, directories, new ChangeMarker(store, World.REGION), process);
        process.fork("loop", () -> {
            try {
                new AgentLoop(pulse, worker).run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return new Boot(process, pulse, worker);
    }

    private Duration lag() {
        return switch (world.variant()) {
            case PICK_PAST_DEADLINE -> Duration.ofHours(-1);
            case ABANDONED_TOO_EARLY -> Duration.ofHours(name.equals("box-0") ? 1 : 0);
            default -> Duration.ZERO;
        };
    }

    private ObjectStore store(SimulatedProcess process, String bootId) {
        ObjectStore store = new SimulatedStore(world, process);
        return world.variant() == Variant.AS_IT_IS ? store : new BrokenStore(world, process, bootId, store);
    }

    private RunLauncher launcher(SimulatedProcess process) {
        RunLauncher launcher = new SimulatedLauncher(world, process);
        if (world.variant() != Variant.LAUNCH_RETRIED) {
            return launcher;
        }
        return (request, output) -> {
            LaunchOutcome outcome = launcher.launch(request, output);
            return world.random().nextInt(5) == 0 ? launcher.launch(request, output) : outcome;
        };
    }
}

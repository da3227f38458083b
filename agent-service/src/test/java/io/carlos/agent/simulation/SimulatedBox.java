package io.carlos.agent.simulation;

import io.carlos.agent.AgentLoop;
import io.carlos.agent.AgentSettings;
import io.carlos.agent.BoxIdentity;
import io.carlos.agent.launch.RunLauncher;
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
                SimulatedProcess process = boot();
                Random random = world.random();
                long life = 1_000L + random.nextInt(random.nextInt(3) == 0 ? 60_000 : 3_000_000);
                long until =
                        world.network().nanoTime() + Duration.ofMillis(life).toNanos();
                while (!process.isKilled() && (world.isCalm() || world.network().nanoTime() < until)) {
                    world.pause(Duration.ofSeconds(2));
                }
                if (!process.isKilled() && random.nextBoolean()) {
                    world.trace(name + ": killed");
                    process.kill();
                }
                world.pause(Duration.ofMillis(500 + random.nextInt(20_000)));
                if (!process.isKilled()) {
                    process.kill(); // the graceful end below has had its time
                }
            }
        });
    }

    private SimulatedProcess boot() {
        String bootId = name + "-boot-" + ++boots;
        world.trace(bootId + ": boots");
        SimulatedProcess process = world.process(bootId);
        ObjectStore store = new SimulatedStore(world, process);
        RecordStore records = new RecordStore(store, process, world.random());
        BoxIdentity identity = new BoxIdentity(name, bootId, World.REGION, List.of());
        RunDirectories directories = new SimulatedDirectories(world, process, disk);
        Map<Isolation, RunLauncher> launchers = Map.of(Isolation.PROCESS, new SimulatedLauncher(world, process));
        RunsWorker worker = new RunsWorker(new RunsContext(
                identity,
                store,
                records,
                new RunCloser(store, records, process),
                launchers,
                directories,
                process,
                world.random(),
                SETTINGS.runs()));
        Reconciler reconciler = new Reconciler(identity, launchers.keySet(), store, records, worker::runSeen, process);
        AgentLoop loop = new AgentLoop(
                SETTINGS, reconciler, worker, directories, new ChangeMarker(store, World.REGION), process);
        process.fork("loop", () -> {
            try {
                loop.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return process;
    }
}

package io.carlos.agent.simulation;

import io.carlos.agent.runs.RunDirectories;
import io.carlos.agent.runs.StagingRefusedException;
import io.carlos.model.names.Host;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.time.SimulatedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** A box's run directories; the set outlives the agent's process, as a disk does. */
final class SimulatedDirectories implements RunDirectories {
    private final World world;
    private final SimulatedProcess process;
    private final Set<RunId> onDisk;

    SimulatedDirectories(World world, SimulatedProcess process, Set<RunId> onDisk) {
        this.world = world;
        this.process = process;
        this.onDisk = onDisk;
    }

    @Override
    public Path instanceData(Host host) {
        return Path.of("/data/instances", host.value());
    }

    @Override
    public Path stage(RunRequest request) throws StagingRefusedException, IOException {
        world.crashPoint(process, "stage " + request.id());
        world.pause(Duration.ofMillis(1 + world.random().nextInt(100)));
        if (world.random().nextInt(20) == 0) {
            throw new IOException("simulated: the disk is full");
        }
        if (world.random().nextInt(40) == 0) {
            throw new StagingRefusedException("simulated: a planted link");
        }
        onDisk.add(request.id());
        return instanceData(request.host()).resolve(request.id().value());
    }

    @Override
    public void remove(Host host, RunId id) {
        world.crashPoint(process, "remove " + id);
        onDisk.remove(id);
    }

    @Override
    public void sweep() {
        world.crashPoint(process, "sweep");
        onDisk.clear();
    }
}

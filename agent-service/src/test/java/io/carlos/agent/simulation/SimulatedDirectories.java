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

/** A box's run directories; what remains of them outlives the agent's process, as a disk does. */
final class SimulatedDirectories implements RunDirectories {
    private final World world;
    private final SimulatedProcess process;
    private final Remains remains;
    private final String bootId;
    private int staging;

    SimulatedDirectories(World world, SimulatedProcess process, Remains remains, String bootId) {
        this.world = world;
        this.process = process;
        this.remains = remains;
        this.bootId = bootId;
    }

    @Override
    public Path instanceData(Host host) {
        return Path.of("/data/instances", host.value());
    }

    @Override
    public Path stage(RunRequest request) throws StagingRefusedException, IOException {
        world.crashPoint(process, "stage " + request.id());
        staging++;
        if (staging > world.room()) {
            throw new AssertionError(bootId + " stages more than " + world.room() + " at once");
        }
        world.pause(Duration.ofMillis(1 + world.random().nextInt(isSlow() ? 120_000 : 100)));
        staging--;
        if (world.random().nextInt(20) == 0) {
            throw new IOException("simulated: the disk is full");
        }
        if (world.random().nextInt(40) == 0) {
            throw new StagingRefusedException("simulated: a planted link");
        }
        remains.staged(request.id(), bootId);
        return instanceData(request.host()).resolve(request.id().value());
    }

    @Override
    public void remove(Host host, RunId id) {
        world.crashPoint(process, "remove " + id);
        remains.removed(id);
    }

    @Override
    public void sweep() {
        world.crashPoint(process, "sweep");
        if (world.variant() != Variant.NO_BOOT_SWEEP) {
            remains.sweep();
        }
    }

    private boolean isSlow() {
        return world.troubles().slowStaging() && !world.isCalm();
    }
}

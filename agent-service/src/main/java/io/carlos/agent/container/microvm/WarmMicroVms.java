package io.carlos.agent.container.microvm;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.pool.WarmMachines;
import io.carlos.model.linux.Directory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Machines for a pool. A share is made at a machine's boot, so that each has an empty directory of its own as its
 * workspace, into which whoever is given the machine puts what it shall have.
 *
 * @param workspaces where these directories are made; it exists
 * @param uid whom commands will run as; unsigned, not 0
 * @param environment what every command will have in its environment
 */
public record WarmMicroVms(MicroVmRuntime runtime, Path workspaces, int uid, Map<String, String> environment)
        implements WarmMachines<WarmMicroVms.Warm> {
    public WarmMicroVms {
        environment = Map.copyOf(environment);
    }

    /** A machine that waits; it takes commands after {@link MicroVmRuntime#provision}. */
    public record Warm(ContainerId id, Path workspace) {}

    @Override
    public Warm boot() throws IOException, InterruptedException {
        Path workspace = Files.createTempDirectory(workspaces, "warm-");
        String name = workspace.getFileName().toString();
        boolean booted = false;
        ContainerId id = null;
        try {
            id = runtime.create(
                    ContainerSpec.of(name, Mount.readWrite(workspace, BootConfiguration.WORKSPACE), uid, environment));
            runtime.boot(id);
            booted = true;
            return new Warm(id, workspace);
        } finally {
            if (!booted) {
                if (id != null) {
                    runtime.remove(id);
                }
                removeWorkspace(workspace);
            }
        }
    }

    @Override
    public boolean isReady(Warm machine) {
        return runtime.isReady(machine.id());
    }

    /** Also of one that was given to somebody, when that has no more use for it. */
    @Override
    public void discard(Warm machine) throws IOException, InterruptedException {
        runtime.remove(machine.id());
        removeWorkspace(machine.workspace());
    }

    private void removeWorkspace(Path workspace) throws IOException {
        try (Directory parent = Directory.open(workspaces)) {
            parent.removeTree(workspace.getFileName().toString());
        }
    }
}

package io.carlos.agent.container.microvm;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.pool.WarmMachines;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Machines for a pool. Each can be given one directory, and takes commands when it is provisioned after that. */
public final class WarmMicroVms implements WarmMachines<ContainerId> {
    private final MicroVmRuntime runtime;
    private final int uid;
    private final Map<String, String> environment;
    private final AtomicLong names = new AtomicLong();

    /**
     * @param uid whom commands will run as; unsigned, not 0
     * @param environment what every command will have in its environment
     */
    public WarmMicroVms(MicroVmRuntime runtime, int uid, Map<String, String> environment) {
        this.runtime = runtime;
        this.uid = uid;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public ContainerId boot() throws ContainerException, InterruptedException {
        ContainerId id = runtime.createForLateData("warm-" + names.incrementAndGet(), uid, environment);
        boolean booted = false;
        try {
            runtime.bootAhead(id);
            booted = true;
            return id;
        } finally {
            if (!booted) {
                runtime.remove(id);
            }
        }
    }

    @Override
    public boolean hasRoom() {
        return runtime.hasRoom();
    }

    @Override
    public boolean isRoomAwaited() {
        return runtime.isRoomAwaited();
    }

    @Override
    public boolean isReady(ContainerId machine) {
        return runtime.isReady(machine);
    }

    @Override
    public void discard(ContainerId machine) throws ContainerException, InterruptedException {
        runtime.remove(machine);
    }
}

package io.carlos.agent.launch.unit;

import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Admits every command and keeps count of them. */
final class OpenGate implements InstanceGate {
    private final List<Command> admitted = new ArrayList<>();

    @Override
    public synchronized Admission admit(Host host, Command command) {
        admitted.add(command);
        return new Ready(MemoryTier.MIB_512, Map.of("OF_THE_INSTANCE", "yes"), () -> release(command));
    }

    private synchronized void release(Command command) {
        admitted.remove(command);
    }

    /** The commands that hold their places. */
    synchronized List<Command> held() {
        return List.copyOf(admitted);
    }
}

package io.carlos.agent.launch.unit;

import io.carlos.model.control.MemoryTier;
import io.carlos.model.names.Incarnation;
import io.carlos.model.records.RecordRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Admits every command and keeps count of them. */
final class OpenGate implements InstanceGate {
    private final List<Command> admitted = new ArrayList<>();
    private final Map<RecordRef, Incarnation> asked = new HashMap<>();

    @Override
    public synchronized Admission admit(RecordRef record, Incarnation incarnation, Command command) {
        asked.put(record, incarnation);
        admitted.add(command);
        return new Ready(MemoryTier.MIB_512, Map.of("OF_THE_INSTANCE", "yes"), () -> release(command));
    }

    private synchronized void release(Command command) {
        admitted.remove(command);
    }

    /** Whose commands were asked for. */
    synchronized Map<RecordRef, Incarnation> asked() {
        return Map.copyOf(asked);
    }

    /** The commands that hold their places. */
    synchronized List<Command> held() {
        return List.copyOf(admitted);
    }
}

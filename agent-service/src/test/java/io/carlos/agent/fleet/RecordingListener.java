package io.carlos.agent.fleet;

import io.carlos.model.fleet.SupersededException;
import java.util.ArrayList;
import java.util.List;

/** Keeps what it was told. */
final class RecordingListener implements FleetListener {
    private final List<String> losses = new ArrayList<>();
    private final List<SupersededException.Reason> ends = new ArrayList<>();

    static FleetListener unheard() {
        return new RecordingListener();
    }

    List<String> losses() {
        return losses;
    }

    List<SupersededException.Reason> ends() {
        return ends;
    }

    @Override
    public void lost(String box) {
        losses.add(box);
    }

    @Override
    public void superseded(SupersededException.Reason reason) {
        ends.add(reason);
    }
}

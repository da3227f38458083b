package io.carlos.control.verb;

import io.carlos.control.unit.SystemdException;
import io.carlos.model.names.UnitName;

/** Stops a unit, and with it every start of it that was asked for before. */
public final class StopVerb {
    private final Starts starts;
    private final StopSequence stopSequence;

    public StopVerb(Starts starts, StopSequence stopSequence) {
        this.starts = starts;
        this.stopSequence = stopSequence;
    }

    /** Waits for no start; see {@link StopSequence#stop}. */
    public void stop(UnitName unit) throws SystemdException, UnfinishedException, InterruptedException {
        starts.withdraw(unit);
        stopSequence.stop(unit);
    }
}

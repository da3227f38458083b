package io.carlos.control.verb;

import io.carlos.control.ready.NotReadyException;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitManager;
import io.carlos.model.control.MemoryTier;
import io.carlos.model.control.StartAnswer;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;

/** Starts an instance or its sidecar. A unit that runs already is left as it is. */
public final class StartVerb {
    private final UnitManager systemd;
    private final Starts starts;

    public StartVerb(UnitManager systemd, Starts starts) {
        this.systemd = systemd;
        this.starts = starts;
    }

    /** @param role run or sidecar */
    public StartAnswer start(Host host, Role role, MemoryTier tier, Deadline deadline)
            throws BusyException, NotReadyException, ExpiredException, FailedStartException, InterruptedException {
        UnitName name = UnitName.of(role, host);
        return starts.inTurn(
                name,
                deadline,
                () -> {
                    systemd.setMemory(name.slice(), tier);
                    return Unit.of(name);
                },
                this::run);
    }

    private StartAnswer run(Unit unit) throws SystemdException, InterruptedException {
        systemd.start(unit);
        return new StartAnswer(systemd.invocation(unit)
                .orElseThrow(() -> new SystemdException(
                        "start: " + unit + ": systemd started it, but shows no invocation: it has ended already")));
    }
}

package io.carlos.agent.service.admin;

import io.carlos.model.admin.InstanceRows;
import io.carlos.model.admin.LogLines;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpStatus;

/** Of a box without units: nothing is there to be started, and nothing to be swept. */
public final class NoInstances implements BoxInstances {
    @Override
    public InstanceRows rows() {
        return new InstanceRows(List.of());
    }

    @Override
    public void start(Host host, Role role) {
        throw none(host);
    }

    @Override
    public void stop(Host host, Role role) {
        throw none(host);
    }

    @Override
    public void restart(Host host, Role role) {
        throw none(host);
    }

    @Override
    public LogLines logs(Host host, Role role, long from, Duration wait) {
        throw none(host);
    }

    @Override
    public SweepAnswer sweep() {
        return new SweepAnswer(List.of());
    }

    private static AdminException none(Host host) {
        return new AdminException(
                HttpStatus.CONFLICT,
                host
                        + ": this box has no isolation unit, so it runs no instances; add unit to carlos.agent.isolations");
    }
}

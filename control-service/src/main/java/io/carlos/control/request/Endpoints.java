package io.carlos.control.request;

import static io.carlos.control.request.Endpoint.Method.GET;
import static io.carlos.control.request.Endpoint.Method.POST;
import static io.carlos.model.control.ControlApi.HOST;
import static io.carlos.model.control.ControlApi.INVOCATION;
import static io.carlos.model.control.ControlApi.MEMORY_MAX;
import static io.carlos.model.control.ControlApi.ROLE;
import static io.carlos.model.control.ControlApi.WAIT;

import io.carlos.control.ready.NotReadyException;
import io.carlos.control.ready.Readiness;
import io.carlos.control.unit.SystemdException;
import io.carlos.control.unit.Unit;
import io.carlos.control.unit.UnitManager;
import io.carlos.control.verb.CmdVerb;
import io.carlos.control.verb.SeedVerb;
import io.carlos.control.verb.StartVerb;
import io.carlos.control.verb.StopVerb;
import io.carlos.control.verb.SweepVerb;
import io.carlos.control.verb.UnfinishedException;
import io.carlos.model.control.ControlApi;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked for, and nothing else can. */
public final class Endpoints {
    private final UnitManager systemd;
    private final StartVerb start;
    private final SeedVerb seed;
    private final CmdVerb cmd;
    private final StopVerb stop;
    private final SweepVerb sweep;
    private final Readiness readiness;

    public Endpoints(
            UnitManager systemd,
            StartVerb start,
            SeedVerb seed,
            CmdVerb cmd,
            StopVerb stop,
            SweepVerb sweep,
            Readiness readiness) {
        this.systemd = systemd;
        this.start = start;
        this.seed = seed;
        this.cmd = cmd;
        this.stop = stop;
        this.sweep = sweep;
        this.readiness = readiness;
    }

    public List<Endpoint> all() {
        return List.of(
                verb(
                        "start",
                        POST,
                        ControlApi.START,
                        List.of(HOST, ROLE, MEMORY_MAX),
                        query -> start.start(
                                query.host(), query.role(Role.RUN, Role.SIDECAR), query.memory(), query.deadline())),
                verb(
                        "seed",
                        POST,
                        ControlApi.SEED,
                        List.of(HOST, MEMORY_MAX),
                        query -> seed.seed(query.host(), query.memory(), query.deadline())),
                verb(
                        "cmd",
                        POST,
                        ControlApi.CMD,
                        List.of(HOST, MEMORY_MAX),
                        query -> cmd.start(query.host(), query.memory(), query.deadline())),
                verb(
                        "cmd_state",
                        GET,
                        ControlApi.CMD,
                        List.of(HOST, INVOCATION, WAIT),
                        query -> cmd.poll(query.host(), query.invocation(), query.waitTime())),
                verb("stop", POST, ControlApi.STOP, List.of(HOST, ROLE), query -> stop(unit(query))),
                verb("reset", POST, ControlApi.RESET, List.of(HOST, ROLE), query -> reset(unit(query))),
                verb("sweep", POST, ControlApi.SWEEP, List.of(), query -> sweep.sweep()),
                new Endpoint("ready", GET, ControlApi.READY, false, List.of(), query -> ready()));
    }

    private static Endpoint verb(
            String name, Endpoint.Method method, String path, List<String> parameters, Endpoint.Action action) {
        return new Endpoint(name, method, path, true, parameters, action);
    }

    private static UnitName unit(Query query) throws BadRequestException {
        return UnitName.of(query.role(Role.values()), query.host());
    }

    private @Nullable Object stop(UnitName unit) throws SystemdException, UnfinishedException, InterruptedException {
        stop.stop(unit);
        return null;
    }

    private @Nullable Object reset(UnitName unit) throws SystemdException, InterruptedException {
        systemd.resetFailed(Unit.of(unit));
        return null;
    }

    private @Nullable Object ready() throws NotReadyException {
        readiness.require();
        return null;
    }
}

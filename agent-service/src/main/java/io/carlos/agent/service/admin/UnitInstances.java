package io.carlos.agent.service.admin;

import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.instance.InstanceRow;
import io.carlos.agent.instance.Instances;
import io.carlos.agent.instance.OperationOutcome;
import io.carlos.agent.logs.InstanceLogs;
import io.carlos.agent.logs.LogPage;
import io.carlos.agent.logs.LogReader;
import io.carlos.model.admin.InstanceRows;
import io.carlos.model.admin.LogLines;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.springframework.http.HttpStatus;

/** Of a box whose instances are units. */
public final class UnitInstances implements BoxInstances {
    private static final String SWEPT = "an operator swept the box";

    private static final String BY_OPERATOR = "an operator stopped it";

    /** How long a reader waits for a program that has not been started yet, before it is to ask again. */
    private static final Duration UNHEARD = Duration.ofSeconds(1);

    private final Instances instances;
    private final InstanceLogs logs;
    private final ControlChannel channel;

    public UnitInstances(Instances instances, InstanceLogs logs, ControlChannel channel) {
        this.instances = instances;
        this.logs = logs;
        this.channel = channel;
    }

    @Override
    public InstanceRows rows() {
        return new InstanceRows(
                instances.rows().stream().map(UnitInstances::row).toList());
    }

    private static InstanceRows.Row row(InstanceRow row) {
        return new InstanceRows.Row(
                row.record().account(),
                row.record().app(),
                row.host(),
                row.state().toString(),
                row.desired().toString(),
                row.reason(),
                row.since());
    }

    @Override
    public void start(Host host, Role role) throws InterruptedException {
        await("started", isSidecar(role) ? instances.startSidecar(host) : instances.start(host));
    }

    @Override
    public void stop(Host host, Role role) throws InterruptedException {
        await("stopped", isSidecar(role) ? instances.stopSidecar(host) : instances.stop(host, BY_OPERATOR));
    }

    @Override
    public void restart(Host host, Role role) throws InterruptedException {
        if (isSidecar(role)) {
            await("stopped", instances.stopSidecar(host));
            await("started", instances.startSidecar(host));
        } else {
            await("restarted", instances.restart(host));
        }
    }

    private static boolean isSidecar(Role role) {
        return switch (role) {
            case SIDECAR -> true;
            case RUN -> false;
            case SEED, CMD -> throw new IllegalArgumentException(role + ": expected run or sidecar");
        };
    }

    /** The operation goes on when whoever waits for it has gone. */
    private static void await(String what, CompletableFuture<OperationOutcome> operation) throws InterruptedException {
        OperationOutcome outcome;
        try {
            outcome = operation.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("instances: a defect", e.getCause());
        }
        switch (outcome) {
            case OperationOutcome.Done _ -> {}
            case OperationOutcome.Failed(Host host, String reason) ->
                throw new AdminException(
                        HttpStatus.CONFLICT, host + " was not " + what + ": " + reason + "; see carlos logs " + host);
            case OperationOutcome.NotReady(Host host, String reason) ->
                throw new AdminException(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        host + " was not " + what + ": " + reason + "; see carlos box probe");
            case OperationOutcome.NoInstance(Host host) -> throw none(host);
        }
    }

    private static AdminException none(Host host) {
        return new AdminException(
                HttpStatus.NOT_FOUND,
                host + ": this box has no such instance; see which box owns it with carlos instances list");
    }

    /** A host that is the box's and has printed nothing since the agent's start has no lines. */
    @Override
    public LogLines logs(Host host, Role role, long from, Duration wait) throws InterruptedException {
        if (instances.row(host).isEmpty()) {
            throw none(host);
        }
        LogReader reader = logs.reader(host, role, from).orElse(null);
        if (reader == null) {
            Thread.sleep(wait.compareTo(UNHEARD) < 0 ? wait : UNHEARD);
            return new LogLines(List.of(), 0, from);
        }
        LogPage page = reader.read(wait);
        return new LogLines(
                page.lines().stream()
                        .map(line -> new LogLines.Line(line.seq(), line.at(), line.text(), line.continues()))
                        .toList(),
                page.dropped(),
                page.next());
    }

    @Override
    public SweepAnswer sweep() throws InterruptedException {
        try {
            return new SweepAnswer(instances.stopAll(SWEPT));
        } catch (IOException e) {
            throw new AdminException(
                    HttpStatus.BAD_GATEWAY, "not all units are stopped: " + e.getMessage() + "; sweep again", e);
        }
    }
}

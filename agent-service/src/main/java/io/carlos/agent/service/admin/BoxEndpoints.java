package io.carlos.agent.service.admin;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.PassJournal;
import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.reconcile.PassReport;
import io.carlos.model.admin.AdminApi;
import io.carlos.model.admin.BoxStatus;
import io.carlos.model.admin.DrainState;
import io.carlos.model.admin.InstanceRows;
import io.carlos.model.control.SweepAnswer;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@link AdminApi} of the box as a whole. */
@RestController
final class BoxEndpoints {
    private final BoxIdentity box;
    private final Fleet fleet;
    private final PassJournal journal;
    private final AgentControl control;
    private final ControlBus bus;
    private final BoxInstances instances;
    private final Optional<ControlChannel> channel;

    BoxEndpoints(
            BoxIdentity box,
            Fleet fleet,
            PassJournal journal,
            AgentControl control,
            ControlBus bus,
            BoxInstances instances,
            Optional<ControlChannel> channel) {
        this.box = box;
        this.fleet = fleet;
        this.journal = journal;
        this.control = control;
        this.bus = bus;
        this.instances = instances;
        this.channel = channel;
    }

    @GetMapping(AdminApi.STATUS)
    BoxStatus status() {
        PassJournal.Known known = journal.known();
        return new BoxStatus(
                box.name(),
                box.region(),
                box.epoch(),
                journal.startedAt(),
                fleet.mayWrite(),
                control.state(),
                pass(known.at(), known.report()),
                known.failure(),
                instances.rows().instances().stream()
                        .collect(Collectors.groupingBy(InstanceRows.Row::state, Collectors.counting())));
    }

    private static BoxStatus.@Nullable Pass pass(@Nullable Instant at, @Nullable PassReport report) {
        return at == null || report == null
                ? null
                : new BoxStatus.Pass(
                        at,
                        report.took().toMillis(),
                        report.listed(),
                        report.read(),
                        report.unreadable(),
                        report.claimed());
    }

    @GetMapping(path = AdminApi.PROBE, produces = MediaType.APPLICATION_JSON_VALUE)
    String probe() throws ControlException, InterruptedException {
        return channel.orElseThrow(() -> new AdminException(
                        HttpStatus.CONFLICT,
                        "box " + box.name() + " isolates nothing, so there is nothing to prove: add unit to"
                                + " carlos.agent.isolations"))
                .probe()
                .toJson();
    }

    @PostMapping(AdminApi.SWEEP)
    SweepAnswer sweep() throws InterruptedException {
        return instances.sweep();
    }

    @PostMapping(AdminApi.DRAIN)
    DrainState drain() {
        bus.drain();
        return control.state();
    }

    @PostMapping(AdminApi.RESUME)
    DrainState resume() {
        bus.resume();
        return control.state();
    }
}

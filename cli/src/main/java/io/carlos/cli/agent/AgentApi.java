package io.carlos.cli.agent;

import io.carlos.model.admin.AdminApi;
import io.carlos.model.admin.BoxStatus;
import io.carlos.model.admin.DrainState;
import io.carlos.model.admin.InstanceRows;
import io.carlos.model.admin.LogLines;
import io.carlos.model.admin.VmRows;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.files.ProbeReport;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.DeleteExchange;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.PostExchange;

/** {@link AdminApi} as a client sees it. What the agent refuses ends in a {@link io.carlos.cli.exit.CliException}. */
public interface AgentApi {
    @GetExchange(AdminApi.INSTANCES)
    InstanceRows instances();

    @PostExchange(AdminApi.START)
    void start(@PathVariable("host") String host, @RequestParam(AdminApi.ROLE) String role);

    @PostExchange(AdminApi.STOP)
    void stop(@PathVariable("host") String host, @RequestParam(AdminApi.ROLE) String role);

    @PostExchange(AdminApi.RESTART)
    void restart(@PathVariable("host") String host, @RequestParam(AdminApi.ROLE) String role);

    @GetExchange(AdminApi.LOGS)
    LogLines logs(
            @PathVariable("host") String host,
            @RequestParam(AdminApi.ROLE) String role,
            @RequestParam(AdminApi.FROM) long from,
            @RequestParam(AdminApi.WAIT) long wait);

    @GetExchange(AdminApi.STATUS)
    BoxStatus status();

    @GetExchange(AdminApi.PROBE)
    ProbeReport probe();

    @PostExchange(AdminApi.SWEEP)
    SweepAnswer sweep();

    @PostExchange(AdminApi.DRAIN)
    DrainState drain();

    @PostExchange(AdminApi.RESUME)
    DrainState resume();

    @GetExchange(AdminApi.VMS)
    VmRows vms();

    @PostExchange(AdminApi.VMS)
    VmRows.Row createVm(
            @RequestParam(AdminApi.NAME) String name,
            @RequestParam(name = AdminApi.WORKSPACE, required = false) @Nullable String workspace,
            @RequestParam(AdminApi.UID) int uid);

    @PostExchange(AdminApi.START_VM)
    void startVm(@PathVariable("vm") String name);

    @PostExchange(AdminApi.STOP_VM)
    void stopVm(@PathVariable("vm") String name, @RequestParam(AdminApi.TIMEOUT) long seconds);

    @DeleteExchange(AdminApi.VM)
    void removeVm(@PathVariable("vm") String name);
}

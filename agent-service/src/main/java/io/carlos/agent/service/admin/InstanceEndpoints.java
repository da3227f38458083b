package io.carlos.agent.service.admin;

import io.carlos.model.admin.AdminApi;
import io.carlos.model.admin.InstanceRows;
import io.carlos.model.admin.LogLines;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@link AdminApi} of instances; each request that may wait has a virtual thread of its own. */
@RestController
final class InstanceEndpoints {
    private static final String RUN = "run";

    private final BoxInstances instances;

    InstanceEndpoints(BoxInstances instances) {
        this.instances = instances;
    }

    @GetMapping(AdminApi.INSTANCES)
    InstanceRows rows() {
        return instances.rows();
    }

    @PostMapping(AdminApi.START)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void start(@PathVariable Host host, @RequestParam(name = AdminApi.ROLE, defaultValue = RUN) Role role)
            throws InterruptedException {
        instances.start(host, movable(role));
    }

    @PostMapping(AdminApi.STOP)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void stop(@PathVariable Host host, @RequestParam(name = AdminApi.ROLE, defaultValue = RUN) Role role)
            throws InterruptedException {
        instances.stop(host, movable(role));
    }

    @PostMapping(AdminApi.RESTART)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void restart(@PathVariable Host host, @RequestParam(name = AdminApi.ROLE, defaultValue = RUN) Role role)
            throws InterruptedException {
        instances.restart(host, movable(role));
    }

    @GetMapping(AdminApi.LOGS)
    LogLines logs(
            @PathVariable Host host,
            @RequestParam(name = AdminApi.ROLE, defaultValue = RUN) Role role,
            @RequestParam(name = AdminApi.FROM, defaultValue = "1") long from,
            @RequestParam(name = AdminApi.WAIT, defaultValue = "0") int wait)
            throws InterruptedException {
        if (from < 1) {
            throw bad(AdminApi.FROM + " is " + from + ": expected 1 or the number of a line");
        }
        if (wait < 0 || wait > AdminApi.MAX_WAIT.toSeconds()) {
            throw bad(AdminApi.WAIT + " is " + wait + ": expected seconds from 0 to " + AdminApi.MAX_WAIT.toSeconds());
        }
        if (role == Role.CMD) {
            throw bad(AdminApi.ROLE + " is " + role + ": the output of a run is in the store; see carlos runs follow");
        }
        return instances.logs(host, role, from, Duration.ofSeconds(wait));
    }

    private static Role movable(Role role) {
        return switch (role) {
            case RUN, SIDECAR -> role;
            case SEED, CMD ->
                throw bad(AdminApi.ROLE + " is " + role + ": expected run or sidecar; runs are asked for and cancelled"
                        + " through the store");
        };
    }

    private static AdminException bad(String detail) {
        return new AdminException(HttpStatus.BAD_REQUEST, detail);
    }
}

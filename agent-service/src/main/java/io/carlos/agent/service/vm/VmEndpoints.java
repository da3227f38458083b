package io.carlos.agent.service.vm;

import io.carlos.agent.service.admin.AdminException;
import io.carlos.model.admin.AdminApi;
import io.carlos.model.admin.VmRows;
import io.carlos.model.names.VmName;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@link AdminApi} of machines, but for their commands; each request has a virtual thread of its own. */
@RestController
final class VmEndpoints {
    private static final int MAX_TIMEOUT_SECONDS = 600;

    private final Vms vms;

    VmEndpoints(Vms vms) {
        this.vms = vms;
    }

    @GetMapping(AdminApi.VMS)
    VmRows rows() {
        return vms.rows();
    }

    @PostMapping(AdminApi.VMS)
    VmRows.Row create(
            @RequestParam(AdminApi.NAME) VmName name,
            @RequestParam(name = AdminApi.WORKSPACE, required = false) @Nullable String workspace,
            @RequestParam(name = AdminApi.UID, defaultValue = "" + AdminApi.DEFAULT_UID) int uid) {
        if (uid < 1) {
            throw bad(AdminApi.UID + " is " + uid + ": expected 1 to " + Integer.MAX_VALUE
                    + "; commands never run as root");
        }
        return vms.create(name, Optional.ofNullable(workspace), uid);
    }

    @PostMapping(AdminApi.START_VM)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void start(@PathVariable("vm") VmName name) throws InterruptedException {
        vms.start(name);
    }

    @PostMapping(AdminApi.STOP_VM)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void stop(@PathVariable("vm") VmName name, @RequestParam(name = AdminApi.TIMEOUT, defaultValue = "10") int timeout)
            throws InterruptedException {
        if (timeout < 0 || timeout > MAX_TIMEOUT_SECONDS) {
            throw bad(AdminApi.TIMEOUT + " is " + timeout + ": expected seconds from 0 to " + MAX_TIMEOUT_SECONDS);
        }
        vms.stop(name, Duration.ofSeconds(timeout));
    }

    @DeleteMapping(AdminApi.VM)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable("vm") VmName name) throws InterruptedException {
        vms.remove(name);
    }

    private static AdminException bad(String detail) {
        return new AdminException(HttpStatus.BAD_REQUEST, detail);
    }
}

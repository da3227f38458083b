package io.carlos.agent.service.vm;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.container.microvm.BootConfiguration;
import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.agent.service.admin.AdminException;
import io.carlos.model.admin.VmRows;
import io.carlos.model.names.VmName;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;

/**
 * The machines of a box that operators have made; they end with the agent. What cannot be done ends in an {@link
 * AdminException}. Calls block their thread.
 */
final class Vms implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(Vms.class);

    private final Optional<MicroVmRuntime> runtime;
    private final Workspaces workspaces;
    private final Clock clock;
    private final ConcurrentMap<VmName, Vm> vms = new ConcurrentHashMap<>();
    private final ReentrantLock removing = new ReentrantLock();
    private volatile boolean running;

    /**
     * What an earlier agent has made is removed before anybody can ask for more.
     *
     * @param runtime opened by the one agent that has these workspaces; empty on a box without virtual machines
     */
    Vms(Optional<MicroVmRuntime> runtime, Workspaces workspaces, Clock clock) {
        this.runtime = runtime;
        this.workspaces = workspaces;
        this.clock = clock;
        if (runtime.isPresent()) {
            workspaces.sweep();
        }
    }

    VmRows rows() {
        return new VmRows(vms.values().stream()
                .map(Vm::row)
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList());
    }

    /**
     * @param given the absolute path of a directory; empty: one is made
     * @param uid whom commands run as that name nobody
     */
    VmRows.Row create(VmName name, Optional<String> given, int uid) {
        MicroVmRuntime machines = runtime.orElseThrow(() -> new AdminException(
                HttpStatus.CONFLICT,
                name + ": this box has no virtual machines; add microvm to carlos.agent.isolations"));
        if (vms.containsKey(name)) {
            throw inUse(name);
        }
        try {
            Workspace workspace = workspaces.take(name, given);
            boolean created = false;
            try {
                Mount mount = Mount.readWrite(workspace.path(), BootConfiguration.WORKSPACE);
                ContainerSpec spec = ContainerSpec.of("vm-" + name, mount, uid, Map.of());
                Vm vm = new Vm(name, spec, workspace, machines, clock);
                created = true;
                vms.put(name, vm);
                return vm.row();
            } finally {
                if (!created) {
                    workspaces.putBack(workspace);
                }
            }
        } catch (IOException e) {
            throw failed(name, "created", e);
        }
    }

    private static AdminException inUse(VmName name) {
        return new AdminException(
                HttpStatus.CONFLICT,
                "there is a machine " + name + " already; take another name, or remove it with carlos vm rm " + name);
    }

    void start(VmName name) throws InterruptedException {
        try {
            vm(name).start();
        } catch (ContainerException e) {
            throw failed(name, "started", e);
        }
    }

    void stop(VmName name, Duration timeout) throws InterruptedException {
        try {
            vm(name).stop(timeout);
        } catch (ContainerException e) {
            throw failed(name, "stopped", e);
        }
    }

    /** Also the workspace, when it was made for the machine. */
    void remove(VmName name) throws InterruptedException {
        try {
            remove(vm(name));
        } catch (IOException e) {
            throw failed(name, "removed", e);
        }
    }

    private void remove(Vm vm) throws IOException, InterruptedException {
        removing.lockInterruptibly();
        try {
            // Somebody else may have removed it meanwhile, and another may have its name, and so its workspace's.
            if (vms.get(vm.name()) == vm) {
                vm.remove();
                putBackWorkspace(vm);
                vms.remove(vm.name(), vm);
            }
        } finally {
            removing.unlock();
        }
    }

    private void putBackWorkspace(Vm vm) throws IOException {
        try {
            workspaces.putBack(vm.workspace());
        } catch (IOException e) {
            vm.workspaceIsLeft("its workspace cannot be removed: " + e.getMessage());
            throw e;
        }
    }

    /** Returns when the command's program has been executed. */
    StreamingExec exec(VmName name, StreamingExecSpec command) throws InterruptedException {
        Vm vm = vm(name);
        try {
            return runtime.orElseThrow().execStreaming(vm.id(), command);
        } catch (CommandException e) {
            throw new AdminException(status(e.reason()), name + ": " + e.getMessage(), e);
        }
    }

    private static HttpStatus status(CommandException.Reason reason) {
        return switch (reason) {
            case INVALID -> HttpStatus.BAD_REQUEST;
            case NOT_READY, DENIED, NOT_FOUND, LIMIT, UNSUPPORTED -> HttpStatus.CONFLICT;
            case TIMEOUT, CANCELLED, TRANSPORT -> HttpStatus.BAD_GATEWAY;
        };
    }

    private Vm vm(VmName name) {
        Vm vm = vms.get(name);
        if (vm == null) {
            throw new AdminException(
                    HttpStatus.NOT_FOUND, "there is no machine " + name + " on this box; see carlos vm list");
        }
        return vm;
    }

    private static AdminException failed(VmName name, String what, IOException cause) {
        return new AdminException(HttpStatus.CONFLICT, name + " was not " + what + ": " + cause.getMessage(), cause);
    }

    @Override
    public void start() {
        running = true;
    }

    /** Before the web server stops: its connections end with the commands that they carry. */
    @Override
    public void stop() {
        running = false;
        for (Vm vm : vms.values()) {
            try {
                remove(vm);
            } catch (IOException e) {
                log.warn("vm: {}: left until the agent starts again: {}", vm.name(), e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}

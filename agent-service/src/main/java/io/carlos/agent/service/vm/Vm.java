package io.carlos.agent.service.vm;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.agent.service.admin.AdminException;
import io.carlos.model.admin.VmRows;
import io.carlos.model.names.VmName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.springframework.http.HttpStatus;

/**
 * One machine. A start waits for its boot without the lock, so that a stop or a removal can end that boot; under the lock
 * is whatever decides which container is the machine's.
 */
final class Vm {
    private final VmName name;
    private final ContainerSpec spec;
    private final Workspace workspace;
    private final MicroVmRuntime runtime;
    private final Clock clock;

    private ContainerId id;
    private VmState state = VmState.CREATED;
    private String reason = "";
    private Instant since;
    private boolean removed;

    /** Makes its container, which does not run yet. */
    Vm(VmName name, ContainerSpec spec, Workspace workspace, MicroVmRuntime runtime, Clock clock)
            throws ContainerException {
        this.name = name;
        this.spec = spec;
        this.workspace = workspace;
        this.runtime = runtime;
        this.clock = clock;
        this.id = runtime.create(spec);
        this.since = clock.instant();
    }

    VmName name() {
        return name;
    }

    Workspace workspace() {
        return workspace;
    }

    synchronized ContainerId id() {
        return id;
    }

    synchronized VmRows.Row row() {
        noteEnd();
        return new VmRows.Row(
                name,
                id.value(),
                state.toString(),
                reason,
                since,
                spec.uid(),
                workspace.path().toString());
    }

    /** Starts it, anew in another container when an earlier one has ended. */
    void start() throws ContainerException, InterruptedException {
        ContainerId starting = beginStart();
        Optional<String> failure = Optional.of("its start was interrupted");
        try {
            runtime.start(starting);
            failure = Optional.empty();
        } catch (ContainerException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
            throw e;
        } finally {
            startEnded(starting, failure);
        }
    }

    private synchronized ContainerId beginStart() throws ContainerException, InterruptedException {
        noteEnd();
        if (removed) {
            throw new AdminException(
                    HttpStatus.CONFLICT,
                    name + " is being removed, and is there as long as that fails; remove it again");
        }
        switch (state) {
            case CREATED -> {}
            case STOPPED, FAILED -> {
                runtime.remove(id);
                id = runtime.create(spec);
            }
            case STARTING, RUNNING, STOPPING ->
                throw new AdminException(
                        HttpStatus.CONFLICT, name + " is " + state + "; stop it first, or see carlos vm list");
        }
        enter(VmState.STARTING, "");
        return id;
    }

    /** Says nothing when the machine was stopped meanwhile. */
    private synchronized void startEnded(ContainerId started, Optional<String> failure) {
        if (state == VmState.STARTING && id.equals(started)) {
            enter(failure.isPresent() ? VmState.FAILED : VmState.RUNNING, failure.orElse(""));
        }
    }

    /** Returns when nothing of it runs; does nothing to one that does not run. */
    void stop(Duration timeout) throws ContainerException, InterruptedException {
        Optional<ContainerId> running = beginStop();
        if (running.isPresent()) {
            runtime.stop(running.get(), timeout);
            stopEnded(running.get());
        }
    }

    private synchronized Optional<ContainerId> beginStop() {
        noteEnd();
        return switch (state) {
            case CREATED, STOPPED, FAILED -> Optional.empty();
            case STARTING, RUNNING, STOPPING -> {
                enter(VmState.STOPPING, "");
                yield Optional.of(id);
            }
        };
    }

    private synchronized void stopEnded(ContainerId stopped) {
        if (state == VmState.STOPPING && id.equals(stopped)) {
            enter(VmState.STOPPED, "");
        }
    }

    /** Leaves nothing of its container; its workspace stays. */
    void remove() throws ContainerException, InterruptedException {
        ContainerId last = beginRemoval();
        String failure = "its removal was interrupted; remove it again";
        try {
            runtime.remove(last);
            failure = "";
        } catch (ContainerException e) {
            failure = String.valueOf(e.getMessage());
            throw e;
        } finally {
            removalEnded(failure);
        }
    }

    private synchronized ContainerId beginRemoval() {
        removed = true;
        enter(VmState.STOPPING, "it is being removed");
        return id;
    }

    private synchronized void removalEnded(String failure) {
        removed = failure.isEmpty();
        enter(removed ? VmState.STOPPED : VmState.FAILED, failure);
    }

    /** Its container is gone, and cannot be made anew. */
    synchronized void workspaceIsLeft(String why) {
        enter(VmState.FAILED, why);
    }

    /** A machine may end without anybody's wish. */
    private void noteEnd() {
        if (state == VmState.RUNNING) {
            runtime.whyEnded(id).ifPresent(why -> enter(VmState.FAILED, why));
        }
    }

    private void enter(VmState next, String why) {
        if (state != next) {
            since = clock.instant();
        }
        state = next;
        reason = why;
    }
}

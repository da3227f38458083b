package io.carlos.agent.container;

import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;

/**
 * Containers of one technique, from their creation to their removal. For any number of threads; every call blocks its
 * thread. A command that fails is no error: an exception says that it could not be attempted, or not be carried through.
 */
public interface ContainerRuntime {
    /**
     * Prepares a container, which runs nothing yet.
     *
     * @throws NameInUseException another container has that name
     * @throws MountRefusedException the technique cannot give one of the mounts as it is asked for
     */
    ContainerId create(ContainerSpec spec) throws ContainerException, InterruptedException;

    /**
     * Starts a container that was created, once; it takes commands when this returns.
     *
     * @param wanted asked now and then while the start takes its time, as the wait for room and a boot do: once it is
     *     false, the start is given up, which is a start that failed
     * @throws ContainerException it could not be started, and nothing of it runs; it may be removed and no more
     */
    void start(ContainerId id, BooleanSupplier wanted) throws ContainerException, InterruptedException;

    /** Starts a container that is wanted however long that takes. */
    default void start(ContainerId id) throws ContainerException, InterruptedException {
        start(id, () -> true);
    }

    /** Runs a command to its end; its bad end is in the answer. Interrupting the caller kills the command. */
    ExecOutput exec(ContainerId id, ExecSpec spec) throws CommandException, InterruptedException;

    /** Starts a command with its streams attached; when this returns, its program has been executed. */
    StreamingExec execStreaming(ContainerId id, StreamingExecSpec spec) throws CommandException, InterruptedException;

    /**
     * Ends a container and all that runs in it: asks first, and kills when the time is up. Commands that it cuts short
     * fail. Does nothing to one that has ended or is not known.
     *
     * @param timeout between the request and the kill
     * @throws ContainerException something of it may run still; it may be stopped again
     */
    void stop(ContainerId id, Duration timeout) throws ContainerException, InterruptedException;

    /**
     * Leaves nothing of a container: neither processes, which are killed, nor files. Its name is free afterwards. Does
     * nothing to one that is not known.
     */
    void remove(ContainerId id) throws ContainerException, InterruptedException;

    /** Removes each, also when one of them cannot be removed, which is told at the end. */
    default void removeEach(Collection<ContainerId> ids) throws ContainerException, InterruptedException {
        ContainerException failure = null;
        for (ContainerId id : ids) {
            try {
                remove(id);
            } catch (ContainerException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Whether a container of that name was created and not removed. */
    boolean exists(String name) throws ContainerException, InterruptedException;

    /** The label that files must have for the container to reach them; empty where there is no such thing. */
    String mountLabel(ContainerId id) throws ContainerException, InterruptedException;

    /** @throws ResizeNotImplementedException always: no command has a terminal */
    default void resize(ContainerId id, int rows, int columns) throws ResizeNotImplementedException {
        throw new ResizeNotImplementedException(id);
    }
}

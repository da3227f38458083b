package io.carlos.agent.launch.container;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Containers that do what they are told, and remember what they were asked. */
final class ScriptedContainers implements ContainerRuntime {
    static final ContainerId ID = new ContainerId("0123456789abcdef");

    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private Exec exec = () -> {
        throw new CommandException(CommandException.Reason.UNSUPPORTED, "not told", null);
    };
    private Runnable onStart = () -> {};
    private Runnable onStop = () -> {};
    private boolean removable = true;
    private boolean heedsWanted;

    /** What comes of the start of a command. */
    @FunctionalInterface
    interface Exec {
        StreamingExec start() throws CommandException;
    }

    ScriptedContainers exec(Exec told) {
        exec = told;
        return this;
    }

    ScriptedContainers onStart(Runnable told) {
        onStart = told;
        return this;
    }

    ScriptedContainers onStop(Runnable told) {
        onStop = told;
        return this;
    }

    /** Its starts are given up when they are not wanted any more. */
    ScriptedContainers heedsWanted() {
        heedsWanted = true;
        return this;
    }

    ScriptedContainers unremovable() {
        removable = false;
        return this;
    }

    /** In their order, a stop with its bound. */
    List<String> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    @Override
    public ContainerId create(ContainerSpec spec) {
        calls.add("create");
        return ID;
    }

    @Override
    public void start(ContainerId id, BooleanSupplier wanted) throws ContainerException {
        calls.add("start");
        onStart.run();
        if (heedsWanted && !wanted.getAsBoolean()) {
            throw new ContainerException("given up", null);
        }
    }

    @Override
    public ExecOutput exec(ContainerId id, ExecSpec spec) {
        throw new UnsupportedOperationException();
    }

    @Override
    public StreamingExec execStreaming(ContainerId id, StreamingExecSpec spec) throws CommandException {
        calls.add("exec");
        return exec.start();
    }

    @Override
    public void stop(ContainerId id, Duration timeout) {
        calls.add("stop " + timeout);
        onStop.run();
    }

    @Override
    public void remove(ContainerId id) throws ContainerException {
        calls.add("remove");
        if (!removable) {
            throw new ContainerException("its directory is left", null);
        }
    }

    @Override
    public boolean exists(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String mountLabel(ContainerId id) {
        return "";
    }
}

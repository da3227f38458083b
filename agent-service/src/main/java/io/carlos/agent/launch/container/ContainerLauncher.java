package io.carlos.agent.launch.container;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.OutputSink;
import io.carlos.agent.launch.RunLauncher;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each command in a container of its own, which begins and ends with it. Of this machine the container has the
 * instance's data directory, with the run's directory in it, and nothing else.
 *
 * <p>A program that is not there, or that cannot be executed, is a started command that ends as in a shell, with 127 or
 * 126 and one line on its standard error. A command's descendants end with it.
 */
public final class ContainerLauncher implements RunLauncher {
    private static final Logger log = LoggerFactory.getLogger(ContainerLauncher.class);

    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;

    private final ContainerRuntime runtime;
    private final ContainerPlaces places;
    private final int uid;
    private final ReadyContainers ready;

    /** Starts a container for each run. */
    public ContainerLauncher(ContainerRuntime runtime, ContainerPlaces places, int uid) {
        this(runtime, places, uid, ReadyContainers.NONE);
    }

    /**
     * @param places in a container that is started for its run
     * @param ready asked first
     * @param uid whom commands run as within a container; unsigned, not 0, and able to write the run's directory
     */
    public ContainerLauncher(ContainerRuntime runtime, ContainerPlaces places, int uid, ReadyContainers ready) {
        this.runtime = runtime;
        this.places = places;
        this.uid = uid;
        this.ready = ready;
    }

    @Override
    public LaunchOutcome launch(LaunchRequest request, OutputSink output) throws InterruptedException {
        Optional<ContainerId> id = Optional.empty();
        boolean started = false;
        try {
            id = ready.take(request);
            ContainerPlaces where = id.isPresent() ? ready.places() : places;
            if (id.isEmpty()) {
                id = Optional.of(runtime.create(spec(request)));
                runtime.start(id.get(), request.wanted());
            }
            if (!request.wanted().getAsBoolean()) {
                return new LaunchOutcome.Unwanted();
            }
            LaunchOutcome outcome = start(request, where, id.get(), output);
            started = outcome instanceof LaunchOutcome.Started;
            return outcome;
        } catch (IOException | IllegalArgumentException e) {
            // A start that was given up is one that failed.
            return request.wanted().getAsBoolean() ? failed(request, e) : new LaunchOutcome.Unwanted();
        } finally {
            if (id.isPresent() && !started) {
                remove(request, id.get());
            }
        }
    }

    private ContainerSpec spec(LaunchRequest request) {
        Mount data = Mount.readWrite(request.dataDirectory().toAbsolutePath().normalize(), places.data(request));
        return ContainerSpec.of(request.id().value(), data, uid, Map.of());
    }

    private LaunchOutcome start(LaunchRequest request, ContainerPlaces where, ContainerId id, OutputSink output)
            throws IOException, InterruptedException {
        StreamingExecSpec spec = new StreamingExecSpec(
                request.argv(),
                Optional.empty(),
                Optional.of(where.run(request)),
                ContainerEnvironment.of(request, where));
        ContainerRun run = new ContainerRun("run " + request.id(), runtime, id, output);
        try {
            StreamingExec exec = runtime.execStreaming(id, spec);
            run.follow(exec);
        } catch (CommandException e) {
            run.ended(notExecuted(e), lineOf(e));
            log.info("launch: run {}: {}", request.id(), e.getMessage());
        }
        return new LaunchOutcome.Started(run);
    }

    /** @throws CommandException it was not executed, by no fault of its own */
    private static CommandEnd notExecuted(CommandException failure) throws CommandException {
        return switch (failure.reason()) {
            case NOT_FOUND -> new CommandEnd.Exited(NOT_FOUND, "");
            case DENIED, INVALID -> new CommandEnd.Exited(NOT_EXECUTABLE, "");
            // They tell nothing of what was done before.
            case TRANSPORT, CANCELLED, TIMEOUT ->
                new CommandEnd.Lost("the container ended while the command was started; it may have begun");
            case NOT_READY, LIMIT, UNSUPPORTED -> throw failure;
        };
    }

    private static String lineOf(CommandException failure) {
        return switch (failure.reason()) {
            case NOT_FOUND, DENIED, INVALID -> "carlos: " + failure.detail() + "\n";
            case TRANSPORT, CANCELLED, TIMEOUT, NOT_READY, LIMIT, UNSUPPORTED -> "";
        };
    }

    private void remove(LaunchRequest request, ContainerId id) {
        try {
            runtime.remove(id);
        } catch (IOException e) {
            log.error("launch: run {}: its container {} is left until the agent starts again", request.id(), id, e);
        } catch (InterruptedException e) {
            log.error("launch: run {}: its container {} may be left until the agent starts again", request.id(), id);
            Thread.currentThread().interrupt();
        }
    }

    private static LaunchOutcome failed(LaunchRequest request, Throwable cause) {
        return new LaunchOutcome.Failed("run " + request.id() + ": could not be started: " + cause.getMessage(), cause);
    }
}

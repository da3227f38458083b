package io.carlos.agent.container.podman;

import io.carlos.agent.container.ChildHandle;
import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.linux.process.PidFd;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.Signal;
import io.carlos.model.start.StartRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One command in a container, followed by a thread of its own until nothing is left of it. */
final class PodmanCommand implements ChildHandle {
    /** Where a container has the native program. */
    static final String STARTER = "/run/carlos-exec";

    private static final Logger log = LoggerFactory.getLogger(PodmanCommand.class);

    private final String subject;
    private final String id;
    private final CommandRequest request;
    private final CommandFollower follower;
    private final CompletableFuture<CommandInput> started = new CompletableFuture<>();
    private final CompletableFuture<CommandEnd> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> killed = new CompletableFuture<>();
    private final CompletableFuture<String> cutShort = new CompletableFuture<>();

    /** Held while a signal is sent, so that nobody closes the hold under it. */
    private final Object signalling = new Object();

    private @Nullable PidFd main;

    /** @param id names it among all commands of this machine */
    PodmanCommand(String subject, Podman podman, ContainerId container, String id, CommandRequest request)
            throws CommandException {
        this.subject = subject;
        this.id = id;
        this.request = request;
        StartRequest start = request.toStart(CommandLaunch.MARK, id);
        this.follower = new CommandFollower(subject, podman, container, id, request, start);
    }

    /** Done when its program has been executed, or could not be: then with a {@link CommandException}. */
    CompletableFuture<CommandInput> started() {
        return started;
    }

    /** Done when nothing is left of it: with a {@link CommandException} when it is not known how it ended. */
    CompletableFuture<CommandEnd> ended() {
        return ended;
    }

    /** Done when nobody waits for its output any more. */
    CompletableFuture<?> givenUp() {
        return CompletableFuture.anyOf(killed, cutShort);
    }

    /** To be called once. */
    void follow(OutputPumps.Sink stdout, OutputPumps.Sink stderr) {
        Thread.ofPlatform().daemon().name("podman-exec-" + id).start(() -> {
            try {
                follower.run(this, stdout, stderr);
            } catch (CommandException e) {
                fail(e);
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                log.error("podman: {}: command {} cannot be followed to its end", subject, id, e);
                fail(new CommandException(
                        Reason.TRANSPORT, subject + ": " + request.program() + ": " + e.getMessage(), e));
            }
        });
    }

    private void fail(CommandException failure) {
        started.completeExceptionally(failure);
        ended.completeExceptionally(failure);
    }

    /** The process that is the command: from now on it can be signalled, until it is {@link #release released}. */
    void hold(PidFd process) {
        synchronized (signalling) {
            main = process;
        }
        if (isKilled()) {
            signal(Signal.KILL);
        }
    }

    void release() {
        synchronized (signalling) {
            main = null;
        }
    }

    boolean isKilled() {
        return killed.isDone();
    }

    /** Why its container was about to be killed, if it was. */
    Optional<String> whyCutShort() {
        return cutShort.isDone() ? Optional.of(cutShort.join()) : Optional.empty();
    }

    private void signal(Signal signal) {
        synchronized (signalling) {
            if (main != null) {
                try {
                    main.signal(signal);
                } catch (ProcessCallException e) {
                    log.error("podman: {}: command {} cannot be signalled", subject, id, e);
                }
            }
        }
    }

    @Override
    public void kill() {
        killed.complete(null);
        signal(Signal.KILL);
    }

    @Override
    public void terminate() {
        signal(Signal.TERM);
    }

    /** Its container is about to be killed, and so is it; it counts as not carried through. */
    void cutShort(String why) {
        cutShort.complete(why);
    }

    @Override
    public int waitFor() throws ExitStatusException, CommandException, InterruptedException {
        return switch (value(ended)) {
            case CommandEnd.Exited(int status) -> status;
            case CommandEnd.Signalled(int signal) -> throw new ExitStatusException(signal);
        };
    }

    /** @throws CommandException what the future failed with */
    static <T> T value(CompletableFuture<T> future) throws CommandException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    static CommandException failure(ExecutionException e) {
        if (e.getCause() instanceof CommandException failure) {
            return new CommandException(failure.reason(), String.valueOf(failure.getMessage()), failure);
        }
        throw new IllegalStateException("a command failed in a way of its own", e);
    }
}

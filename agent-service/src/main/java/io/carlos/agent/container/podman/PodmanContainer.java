package io.carlos.agent.container.podman;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.CommandTimeoutException;
import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.ExecOutput;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StartFailedException;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One container's life, and the commands in it. */
final class PodmanContainer {
    private static final Logger log = LoggerFactory.getLogger(PodmanContainer.class);

    /** From the death of a container until its commands have noticed. */
    private static final Duration DEATH_BOUND = Duration.ofSeconds(20);

    private static final int MARK_BYTES = 16;

    private static final String STOPPED = "it was stopped";

    private final Podman podman;
    private final ContainerId id;
    private final ContainerSpec spec;
    private final String subject;
    /** What names a command is nothing that others in the container could guess. */
    private final SecureRandom random = new SecureRandom();

    private final Set<PodmanCommand> commands = ConcurrentHashMap.newKeySet();

    /** Held through a start and a stop, so that the second waits for the first. */
    private final ReentrantLock changing = new ReentrantLock();

    private volatile Standing standing = Standing.CREATED;

    private enum Standing {
        CREATED("it was not started"),
        RUNNING("it runs"),
        STOPPING("it is being stopped"),
        ENDED("it was stopped, or did not start");

        private final String description;

        Standing(String description) {
            this.description = description;
        }
    }

    PodmanContainer(Podman podman, ContainerId id, ContainerSpec spec) {
        this.podman = podman;
        this.id = id;
        this.spec = spec;
        this.subject = "podman container " + id + " (" + spec.name() + ")";
    }

    String name() {
        return spec.name();
    }

    @Override
    public String toString() {
        return subject;
    }

    void start() throws ContainerException, InterruptedException {
        changing.lockInterruptibly();
        try {
            if (standing != Standing.CREATED) {
                throw new ContainerException(subject + " cannot be started: " + standing.description, null);
            }
            // Whatever comes of it, there is no second start.
            standing = Standing.ENDED;
            startNow();
            standing = Standing.RUNNING;
            log.info("podman: {}: started", subject);
        } finally {
            changing.unlock();
        }
    }

    private void startNow() throws ContainerException, InterruptedException {
        PodmanAnswer answer;
        try {
            answer = podman.run(subject, List.of("start", id.value()), Duration.ZERO);
        } catch (ContainerException | InterruptedException e) {
            // Podman was killed, and may have started it before.
            end(Duration.ZERO);
            throw e;
        }
        if (!answer.succeeded()) {
            throw new StartFailedException(subject, "podman start", answer.complaint(), answer.lastLines(), null);
        }
    }

    ExecOutput exec(ExecSpec command) throws CommandException, InterruptedException {
        PodmanCommand running = prepare(CommandRequest.of(spec, command));
        CapturedOutput stdout = new CapturedOutput(running::kill);
        CapturedOutput stderr = new CapturedOutput(running::kill);
        var unused = running.started().thenAccept(stdin -> feed(stdin, command.stdin()));
        begin(running, stdout, stderr);
        CommandEnd end = awaitEnd(running, command);
        if (stdout.isOver() || stderr.isOver()) {
            throw new CommandException(
                    Reason.LIMIT,
                    subject + ": a stream of the command's output is over " + CapturedOutput.LIMIT
                            + " bytes; stream it, or have it print less",
                    null);
        }
        return new ExecOutput(stdout.content(), stderr.content(), end.status());
    }

    private static CommandEnd awaitEnd(PodmanCommand running, ExecSpec command)
            throws CommandException, InterruptedException {
        try {
            if (command.timeout().isPresent()) {
                return running.ended().get(command.timeout().get().toNanos(), TimeUnit.NANOSECONDS);
            }
            return running.ended().get();
        } catch (InterruptedException e) {
            running.kill();
            throw e;
        } catch (ExecutionException e) {
            throw PodmanCommand.failure(e);
        } catch (TimeoutException e) {
            running.kill();
            try {
                running.ended().get(DEATH_BOUND.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException again) {
                e.addSuppressed(again);
            }
            throw new CommandTimeoutException(
                    "the command took longer than " + command.timeout().get(), e);
        }
    }

    /** Who has ended, or closed its input, reads no more: that is no failure of the command. */
    private void feed(CommandInput stdin, byte[] bytes) {
        if (bytes.length == 0) {
            stdin.close();
            return;
        }
        Thread.ofPlatform().daemon().name("podman-input-" + spec.name()).start(() -> {
            try (stdin) {
                stdin.write(bytes);
            } catch (IOException e) {
                log.debug("podman: {}: not all of a command's input was read: {}", subject, e.getMessage());
            }
        });
    }

    StreamingExec execStreaming(StreamingExecSpec command) throws CommandException, InterruptedException {
        PodmanCommand running = prepare(CommandRequest.of(spec, command));
        CommandOutput stdout = new CommandOutput();
        CommandOutput stderr = new CommandOutput();
        for (CommandOutput output : List.of(stdout, stderr)) {
            var unused = running.givenUp().thenRun(output::dropTheRest);
            var alsoUnused = running.ended()
                    .whenComplete((end, failure) -> output.end(failure instanceof IOException cause ? cause : null));
        }
        begin(running, stdout, stderr);
        try {
            return new StreamingExec(PodmanCommand.value(running.started()), stdout, stderr, running);
        } catch (InterruptedException e) {
            running.kill();
            throw e;
        }
    }

    private PodmanCommand prepare(CommandRequest request) throws CommandException {
        byte[] mark = new byte[MARK_BYTES];
        random.nextBytes(mark);
        return new PodmanCommand(subject, podman, id, HexFormat.of().formatHex(mark), request);
    }

    private void begin(PodmanCommand command, CapturedOutput stdout, CapturedOutput stderr) throws CommandException {
        register(command);
        command.follow(stdout, stderr);
    }

    private void begin(PodmanCommand command, CommandOutput stdout, CommandOutput stderr) throws CommandException {
        register(command);
        command.follow(stdout, stderr);
    }

    private void register(PodmanCommand command) throws CommandException {
        commands.add(command);
        // A stop that begins after this look sees the command.
        if (standing != Standing.RUNNING) {
            commands.remove(command);
            throw new CommandException(Reason.NOT_READY, subject + " takes no command: " + standing.description, null);
        }
        var unused = command.ended().whenComplete((end, failure) -> commands.remove(command));
    }

    /** Returns when nothing of it runs. */
    void stop(Duration timeout) throws ContainerException, InterruptedException {
        changing.lockInterruptibly();
        try {
            if (standing == Standing.CREATED) {
                standing = Standing.ENDED;
            }
            if (standing == Standing.ENDED) {
                return;
            }
            standing = Standing.STOPPING;
            long start = System.nanoTime();
            if (timeout.isPositive()) {
                // Process 1 comes last: with it, the kernel kills all others.
                commands.forEach(PodmanContainer::askToEnd);
                awaitCommands(timeout);
            }
            commands.forEach(command -> command.cutShort(STOPPED));
            end(timeout.minusNanos(System.nanoTime() - start));
            standing = Standing.ENDED;
            awaitCommands(DEATH_BOUND);
            log.info("podman: {}: stopped", subject);
        } finally {
            changing.unlock();
        }
    }

    private static void askToEnd(PodmanCommand command) {
        if (command.started().isDone()) {
            command.terminate();
        } else {
            command.cutShort(STOPPED);
        }
    }

    private void end(Duration left) throws ContainerException, InterruptedException {
        long seconds = left.isPositive() ? left.toSeconds() : 0;
        PodmanAnswer answer = podman.run(
                subject, List.of("stop", "--ignore", "--time=" + seconds, id.value()), Duration.ofSeconds(seconds));
        if (!answer.succeeded()) {
            throw new ContainerException(subject + ": it cannot be stopped: " + answer.complaint(), null);
        }
    }

    private void awaitCommands(Duration bound) throws InterruptedException {
        CompletableFuture<?>[] ends =
                commands.stream().map(PodmanCommand::ended).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            log.debug("podman: {}: a command failed while it was asked to end", subject, e);
        } catch (TimeoutException e) {
            log.info("podman: {}: {} of its commands have not ended within {}", subject, commands.size(), bound);
        }
    }
}

package io.carlos.agent.launch.container;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ContainerRuntime;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.OutputSink;
import io.carlos.model.runs.OutputChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A command in a container that is there for it alone. */
final class ContainerRun implements LaunchedRun {
    private static final Logger log = LoggerFactory.getLogger(ContainerRun.class);

    /** How long a container may take to end in order once its command has ended. */
    private static final Duration STOP_BOUND = Duration.ofSeconds(10);

    /** For how long a container may say nothing of a command that was killed. */
    private static final Duration SILENCE_BOUND = Duration.ofSeconds(10);

    private final String subject;
    private final ContainerRuntime runtime;
    private final ContainerId id;
    private final Duration silence;
    private final ContainerOutput output;
    private final CompletableFuture<CommandEnd> ended = new CompletableFuture<>();
    private Optional<StreamingExec> exec = Optional.empty();

    private final ReentrantLock stopping = new ReentrantLock();
    private @Nullable CommandEnd settled;

    ContainerRun(String subject, ContainerRuntime runtime, ContainerId id, OutputSink sink) {
        this(subject, runtime, id, sink, SILENCE_BOUND);
    }

    /** @param silence for how long a container may say nothing of a command that was killed */
    ContainerRun(String subject, ContainerRuntime runtime, ContainerId id, OutputSink sink, Duration silence) {
        this.subject = subject;
        this.runtime = runtime;
        this.id = id;
        this.silence = silence;
        this.output = new ContainerOutput(subject, sink);
        var unused = ended.thenRun(output::wake);
    }

    /** Takes the command over; it reads nothing. */
    void follow(StreamingExec started) {
        exec = Optional.of(started);
        try {
            started.stdin().close();
        } catch (IOException e) {
            log.debug("launch: {}: it ended before its input did", subject, e);
        }
        // A pipe would tell it by SIGPIPE that nobody wants its output any more.
        output.carry(OutputChannel.STDOUT, started.stdout(), started.child()::kill);
        output.carry(OutputChannel.STDERR, started.stderr(), started.child()::kill);
        Thread.ofVirtual().name(subject + "-end").start(() -> ended.complete(ownEnd(started)));
    }

    /** It ended before there was a process of it, and said no more than this. */
    void ended(CommandEnd end, String said) {
        ended.complete(end);
        byte[] bytes = said.getBytes(StandardCharsets.UTF_8);
        output.carry(OutputChannel.STDERR, new ByteArrayInputStream(bytes), () -> {});
    }

    private CommandEnd ownEnd(StreamingExec started) {
        try {
            return new CommandEnd.Exited(started.child().waitFor(), "");
        } catch (ExitStatusException e) {
            return new CommandEnd.Killed(e.signal(), "");
        } catch (CommandException e) {
            log.error("launch: {}: its command is lost", subject, e);
            return new CommandEnd.Lost("the container ended under the command");
        } catch (InterruptedException | RuntimeException e) {
            log.error("launch: {}: nobody follows its command any more", subject, e);
            return new CommandEnd.Lost("the agent could not learn how the command ended");
        }
    }

    @Override
    public Optional<CommandEnd> awaitEnd(Duration wait) throws InterruptedException {
        try {
            return Optional.of(ended.get(TimeUnit.NANOSECONDS.convert(wait), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(subject + ": its end is never completed by an exception", e);
        }
    }

    @Override
    public CommandEnd stop(Duration grace) throws InterruptedException {
        stopping.lockInterruptibly();
        try {
            CommandEnd end = settled;
            if (end == null) {
                end = settle(grace);
                settled = end;
            }
            return end;
        } catch (IOException e) {
            throw new UncheckedIOException(subject + ": its container cannot be ended; stop it again", e);
        } finally {
            stopping.unlock();
        }
    }

    /** Nothing of it runs any more: what is left are files, for which nobody needs to wait. */
    private void remove() throws InterruptedException {
        try {
            runtime.remove(id);
        } catch (IOException e) {
            log.error("launch: {}: its container {} is left until the agent starts again", subject, id, e);
        }
    }

    private CommandEnd settle(Duration grace) throws IOException, InterruptedException {
        if (!ended.isDone() && exec.isPresent()) {
            exec.get().child().terminate();
            if (awaitEnd(grace).isEmpty()) {
                output.hurry();
                exec.get().child().kill();
                if (!output.await(ended, silence)) {
                    log.warn("launch: {}: its command does not die, so its container does", subject);
                    runtime.stop(id, Duration.ZERO);
                }
            }
        }
        CommandEnd own = ended.join();
        output.hurry();
        // What the command printed is on this side by now, and the sink has all the time for it.
        runtime.stop(id, grace.isPositive() ? STOP_BOUND : Duration.ZERO);
        remove();
        output.awaitEnd();
        List<String> notes = new ArrayList<>(List.of(own.note()));
        notes.addAll(output.notes());
        notes.removeIf(String::isEmpty);
        return own.withNote(String.join("; ", notes));
    }
}

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
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
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

    private static final int LARGEST_PIECE = 64 * 1024;

    /** How long a container may take to end in order once its command has ended. */
    private static final Duration STOP_BOUND = Duration.ofSeconds(10);

    /** From a kill until the end is told. */
    private static final Duration KILL_BOUND = Duration.ofSeconds(10);

    private final String subject;
    private final ContainerRuntime runtime;
    private final ContainerId id;
    private final OutputSink sink;
    private final CompletableFuture<CommandEnd> ended = new CompletableFuture<>();
    private final List<Thread> pumps = new CopyOnWriteArrayList<>();
    private final Set<String> notes = new ConcurrentSkipListSet<>();
    private Optional<StreamingExec> exec = Optional.empty();

    private final ReentrantLock stopping = new ReentrantLock();
    private @Nullable CommandEnd settled;

    ContainerRun(String subject, ContainerRuntime runtime, ContainerId id, OutputSink sink) {
        this.subject = subject;
        this.runtime = runtime;
        this.id = id;
        this.sink = sink;
    }

    /** Takes the command over; it reads nothing. */
    void follow(StreamingExec started) {
        exec = Optional.of(started);
        try {
            started.stdin().close();
        } catch (IOException e) {
            log.debug("launch: {}: it ended before its input did", subject, e);
        }
        pump(OutputChannel.STDOUT, started.stdout(), started);
        pump(OutputChannel.STDERR, started.stderr(), started);
        Thread.ofVirtual().name(subject + "-end").start(() -> ended.complete(ownEnd(started)));
    }

    /** It ended before there was a process of it, and said no more than this. */
    void ended(CommandEnd end, byte[] said, OutputChannel channel) {
        ended.complete(end);
        // The sink may be blocked for long.
        pumps.add(Thread.ofVirtual().name(subject + "-" + channel).start(() -> {
            try {
                sink.write(channel, said, 0, said.length);
            } catch (InterruptedException e) {
                log.info("launch: {}: the sink takes nothing more", subject);
            } catch (RuntimeException e) {
                log.error("launch: {}: its line on {} is lost", subject, channel, e);
            }
        }));
    }

    private void pump(OutputChannel channel, InputStream stream, StreamingExec started) {
        pumps.add(Thread.ofVirtual().name(subject + "-" + channel).start(() -> {
            try (stream) {
                byte[] buffer = new byte[LARGEST_PIECE];
                for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    sink.write(channel, buffer, 0, count);
                }
            } catch (InterruptedException e) {
                log.info("launch: {}: the sink takes nothing more of {}", subject, channel);
                // A pipe would tell it by SIGPIPE.
                started.child().kill();
            } catch (CommandException e) {
                log.debug("launch: {}: {} ended with the container", subject, channel, e);
            } catch (IOException | RuntimeException e) {
                log.error("launch: {}: bytes are lost: {} cannot be carried on", subject, channel, e);
                notes.add("the end of " + channel + " is lost by a failure of the agent");
            }
        }));
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

    private CommandEnd settle(Duration grace) throws IOException, InterruptedException {
        if (!ended.isDone() && exec.isPresent()) {
            exec.get().child().terminate();
            if (awaitEnd(grace).isEmpty()) {
                exec.get().child().kill();
                if (awaitEnd(KILL_BOUND).isEmpty()) {
                    log.warn("launch: {}: its command does not die, so its container does", subject);
                    runtime.stop(id, Duration.ZERO);
                }
            }
        }
        // Nothing is cut off: what the command printed is on this side, or on its way, and the sink has all the time.
        for (Thread pump : pumps) {
            pump.join();
        }
        CommandEnd own = ended.join();
        runtime.stop(id, STOP_BOUND);
        runtime.remove(id);
        if (!own.note().isEmpty()) {
            notes.add(own.note());
        }
        return own.withNote(String.join("; ", notes));
    }
}

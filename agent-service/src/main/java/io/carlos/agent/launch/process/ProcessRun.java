package io.carlos.agent.launch.process;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.OutputSink;
import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.ChildProcess;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.linux.process.PipeReader;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.ProcessTree;
import io.carlos.model.linux.process.Signal;
import io.carlos.model.linux.process.SpawnedProcess;
import io.carlos.model.linux.process.TreeKiller;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command that was started as a child of this JVM.
 *
 * <p>One platform thread a run waits for its child, by number: the wait cannot take a child of the JDK's, and needs
 * neither a registry of runs nor a wake-up call as one poll loop for all would. It costs an idle stack of which the
 * kernel backs a few pages; some hundred runs at once are far from where that matters.
 *
 * <p>The wait leaves the child unreaped. It is reaped last, when nothing of its tree runs any more: until then nobody
 * else can get its number, so that signals to its group and the search for its session meet only its own.
 */
final class ProcessRun implements LaunchedRun {
    private static final Logger log = LoggerFactory.getLogger(ProcessRun.class);

    private static final int LARGEST_PIECE = 64 * 1024;

    private final RunId id;
    private final Duration drainBound;
    private final ChildProcess child;
    private final ProcessTree tree;
    private final OutputSink sink;
    private final OutputPumps output;
    private final CompletableFuture<CommandEnd> ended = new CompletableFuture<>();

    /** Guards the fields below: a stop that was interrupted goes on where it was. */
    private final ReentrantLock stopping = new ReentrantLock();

    private final Set<String> notes = new LinkedHashSet<>();
    private boolean asked;
    private boolean drained;
    private @Nullable CommandEnd settled;

    ProcessRun(RunId id, Path runDirectory, SpawnedProcess process, OutputSink sink, Duration drainBound) {
        this.id = id;
        this.drainBound = drainBound;
        this.child = process.child();
        this.tree = RunTrees.ofRun(child.pid(), runDirectory);
        this.sink = sink;
        this.output = new OutputPumps(
                "run " + id,
                LARGEST_PIECE,
                List.of(
                        stream(OutputChannel.STDOUT, process.stdout(), sink),
                        stream(OutputChannel.STDERR, process.stderr(), sink)));
    }

    private static OutputPumps.Stream stream(OutputChannel channel, PipeReader reader, OutputSink sink) {
        return new OutputPumps.Stream(channel.name(), reader, (bytes, length) -> sink.write(channel, bytes, 0, length));
    }

    /** Starts the threads that follow the command; when that fails, {@link #discard} ends it. */
    void start() {
        output.start(Thread.ofPlatform().daemon().name(id.value() + "-output-", 0)::start);
        Thread.ofPlatform().daemon().name(id.value() + "-end").start(() -> ended.complete(ownEnd()));
    }

    void discard() throws IOException, InterruptedException {
        killTree();
        output.discard();
        child.reap();
    }

    private CommandEnd ownEnd() {
        try {
            return switch (child.awaitEnd()) {
                case ChildEnd.Exited(int status) -> new CommandEnd.Exited(status, "");
                case ChildEnd.Killed(int signal) -> new CommandEnd.Killed(signal, "");
            };
        } catch (ProcessCallException e) {
            log.error("launch: {}: lost its process", id, e);
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
            throw new IllegalStateException("run " + id + ": its end is never completed by an exception", e);
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
            throw new UncheckedIOException("run " + id + ": cannot be stopped; stop it again", e);
        } finally {
            stopping.unlock();
        }
    }

    private CommandEnd settle(Duration grace) throws IOException, InterruptedException {
        if (!drained) {
            if (asked || !ended.isDone()) {
                askToEnd(grace);
            } else {
                drainAfterOwnEnd();
            }
            drained = true;
        }
        killTree();
        CommandEnd own = ended.join();
        drainWhatEscaped();
        if (!(own instanceof CommandEnd.Lost)) {
            child.reap();
        }
        return withNotes(own);
    }

    /** The group has the whole grace: a shell that dies at once may leave a child that is still tidying up. */
    private void askToEnd(Duration grace) throws IOException, InterruptedException {
        asked = true;
        long start = System.nanoTime();
        // Whoever belongs to the tree only by its parent must be known before that parent dies.
        tree.scan();
        signalGroup(Signal.TERM);
        if (awaitEnd(grace).isPresent()) {
            drain(grace.minusNanos(System.nanoTime() - start));
        }
    }

    /** @return whether the streams are at their end; time in which the sink holds them is not of the bound */
    private boolean drain(Duration bound) throws InterruptedException {
        sink.hurry();
        return output.awaitEnd(bound);
    }

    private void drainAfterOwnEnd() throws InterruptedException {
        if (!drain(drainBound)) {
            notes.add("background processes still held the output " + describe(drainBound)
                    + " after the command exited; they were stopped");
        }
    }

    private void killTree() throws IOException, InterruptedException {
        // The whole group in one call, which no fork can slip past; a kill would cut the tree's links before it is
        // known.
        signalGroup(Signal.STOP);
        TreeKiller.Outcome outcome = TreeKiller.kill("run " + id, tree);
        if (!outcome.killed().isEmpty()) {
            log.info("launch: {}: killed what was left: {}", id, TreeKiller.describe(outcome.killed()));
        }
        if (outcome.foreign().stream().anyMatch(process -> process.pid() == child.pid())) {
            throw new IllegalStateException("run " + id + ": its command took on another user's identity and runs on: "
                    + TreeKiller.describe(outcome.foreign()) + "; have that user or root stop it");
        }
        if (!outcome.foreign().isEmpty()) {
            notes.add("processes that took on another user's identity could not be stopped: "
                    + TreeKiller.describe(outcome.foreign()));
        }
    }

    private void drainWhatEscaped() throws IOException, InterruptedException {
        if (!drain(drainBound)) {
            notes.add("a process that could not be found or stopped still held the output; it is read no further");
            output.abandon();
        }
        output.awaitEnd();
    }

    private void signalGroup(Signal signal) throws IOException {
        // Somebody else reaped it: its number may be a stranger's by now.
        boolean lost = ended.isDone() && ended.join() instanceof CommandEnd.Lost;
        if (lost) {
            return;
        }
        try {
            child.signalGroup(signal);
        } catch (ProcessCallException e) {
            // All that is left of the group took on another user's identity, which the search of the tree finds too.
            if (e.errno() != ProcessCallException.EPERM) {
                throw e;
            }
        }
    }

    private CommandEnd withNotes(CommandEnd own) {
        List<String> all = new ArrayList<>();
        if (!own.note().isEmpty()) {
            all.add(own.note());
        }
        all.addAll(notes);
        for (String channel : output.failed()) {
            all.add("the end of " + channel + " is lost by a failure of the agent");
        }
        return own.withNote(String.join("; ", all));
    }

    private static String describe(Duration bound) {
        return bound.toMillisPart() == 0 ? bound.toSeconds() + " s" : bound.toMillis() + " ms";
    }
}

package io.carlos.agent.container.podman;

import io.carlos.agent.container.ChildHandle;
import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.model.linux.process.ChildChannel;
import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.linux.process.PidFd;
import io.carlos.model.linux.process.PipeReader;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.ProcessTree;
import io.carlos.model.linux.process.Signal;
import io.carlos.model.linux.process.TreeKiller;
import io.carlos.model.start.StartReport;
import io.carlos.model.start.StartRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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

    /** How long the output may take behind the end of the command; podman has it all by then. */
    private static final Duration DRAIN_BOUND = Duration.ofSeconds(2);

    private static final Duration TICK = Duration.ofMillis(50);
    private static final int ROUNDS_OF_ABORTING = 200;
    private static final int STATUS_OF_KILLED = CommandEnd.STATUS_OF_SIGNALS + Signal.KILL.number();
    private static final int LARGEST_PIECE = 32 * 1024;
    private static final int LARGEST_COMPLAINT = 4096;

    private final String subject;
    private final Podman podman;
    private final ContainerId container;
    private final String id;
    private final CommandRequest request;
    private final StartRequest start;
    private final ProcessTree tree;
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
        this.podman = podman;
        this.container = container;
        this.id = id;
        this.request = request;
        this.start = request.toStart(CommandLaunch.MARK, id);
        this.tree = CommandLaunch.treeOf(id);
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
                run(stdout, stderr);
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

    private void run(OutputPumps.Sink stdout, OutputPumps.Sink stderr) throws IOException, InterruptedException {
        List<String> call = List.of(
                "exec",
                "--interactive",
                // Any key sequence of this kind would end the input where it occurs in it.
                "--detach-keys=",
                "--preserve-fds=1",
                // For the native program, which gives all of it up for the command.
                "--user=0",
                "--privileged",
                "--workdir=/",
                "--env=" + CommandLaunch.STARTER_MARK + "=" + id,
                container.value(),
                STARTER,
                "guest-exec");
        try (ChildChannel channel = ChildChannel.open()) {
            PipedProcess process = podman.start(call, channel);
            CommandLaunch.Launched launched = launch(channel, process);
            switch (launched.report()) {
                case StartReport.Executed() -> carry(process, launched.process(), stdout, stderr);
                case StartReport.Failed failed -> {
                    launched.process().ifPresent(PidFd::close);
                    process.closeStreams();
                    await(process);
                    throw CommandRefusals.of(subject, request, failed);
                }
                case StartReport.BrokenOff() -> {
                    launched.process().ifPresent(PidFd::close);
                    throw brokenOff(channel, process);
                }
            }
        }
    }

    private CommandLaunch.Launched launch(ChildChannel channel, PipedProcess process)
            throws IOException, InterruptedException {
        try {
            return new CommandLaunch(id, start, channel, tree, givenUp()::isDone).run();
        } catch (IOException | RuntimeException e) {
            abort(channel, process);
            throw e;
        }
    }

    private CommandException brokenOff(ChildChannel channel, PipedProcess process)
            throws IOException, InterruptedException {
        if (givenUp().isDone()) {
            abort(channel, process);
            String why = cutShort.getNow("it was given up");
            return new CommandException(
                    cutShort.isDone() ? Reason.TRANSPORT : Reason.CANCELLED,
                    subject + ": " + request.program() + " was not started: " + why,
                    null);
        }
        process.stdin().close();
        process.stdout().close();
        String complaint = complaint(process.stderr());
        process.stderr().close();
        await(process);
        return new CommandException(
                Reason.TRANSPORT, subject + ": podman did not start " + request.program() + ": " + complaint, null);
    }

    private static String complaint(PipeReader stderr) throws ProcessCallException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        byte[] buffer = new byte[LARGEST_COMPLAINT];
        int count = stderr.read(buffer);
        while (count != PipeReader.END) {
            said.write(buffer, 0, Math.min(count, LARGEST_COMPLAINT - said.size()));
            count = stderr.read(buffer);
        }
        return new PodmanAnswer(false, "ended without a word", "", said.toString(StandardCharsets.UTF_8)).complaint();
    }

    /** As long as the channel has another end, somebody might yet start what it was told to. */
    private void abort(ChildChannel channel, PipedProcess process) throws IOException, InterruptedException {
        process.child().signalGroup(Signal.KILL);
        int rounds = 0;
        do {
            TreeKiller.kill(subject + ": command " + id, tree);
            rounds++;
        } while (channel.readWithin(new byte[1], TICK) != ChildChannel.END && rounds < ROUNDS_OF_ABORTING);
        process.closeStreams();
        await(process);
    }

    private static ChildEnd await(PipedProcess process) throws ProcessCallException {
        ChildEnd end = process.child().awaitEnd();
        process.child().reap();
        return end;
    }

    private void carry(PipedProcess process, Optional<PidFd> hold, OutputPumps.Sink stdout, OutputPumps.Sink stderr)
            throws IOException, InterruptedException {
        CommandInput stdin = new CommandInput(subject, process.stdin());
        OutputPumps pumps = new OutputPumps(
                subject + ": command " + id,
                LARGEST_PIECE,
                List.of(
                        new OutputPumps.Stream("stdout", process.stdout(), stdout),
                        new OutputPumps.Stream("stderr", process.stderr(), stderr)));
        pumps.start(Thread.ofPlatform().daemon().name("podman-exec-" + id + "-output-", 0)::start);
        if (hold.isPresent()) {
            awaitMain(hold.get(), stdin);
        } else {
            started.complete(stdin);
        }
        stdin.abandon();
        if (!killed.isDone()) {
            pumps.awaitEndWithin(DRAIN_BOUND);
        }
        TreeKiller.kill(subject + ": command " + id, tree);
        ChildEnd end = process.child().awaitEnd();
        if (!pumps.awaitEnd(DRAIN_BOUND)) {
            log.error("podman: {}: command {}: somebody still holds its output; it is read no further", subject, id);
            pumps.abandon();
            pumps.awaitEnd();
        }
        process.child().reap();
        if (!pumps.failed().isEmpty()) {
            throw lost(String.join(" and ", pumps.failed()) + " lost bytes");
        }
        complete(end);
    }

    private void awaitMain(PidFd hold, CommandInput stdin) throws ProcessCallException {
        try (hold) {
            synchronized (signalling) {
                main = hold;
            }
            if (killed.isDone()) {
                signal(Signal.KILL);
            }
            started.complete(stdin);
            hold.awaitEnd();
            synchronized (signalling) {
                main = null;
            }
        }
    }

    private void complete(ChildEnd end) throws IOException, InterruptedException {
        if (cutShort.isDone() && !killed.isDone()) {
            throw lost(cutShort.join());
        }
        switch (end) {
            case ChildEnd.Exited(int status) -> {
                if (status == STATUS_OF_KILLED && !killed.isDone() && !podman.isRunning(subject, container)) {
                    throw lost("it has died");
                }
                ended.complete(CommandEnd.of(status));
            }
            case ChildEnd.Killed(int signal) -> throw lost("podman was killed by signal " + signal);
        }
    }

    private CommandException lost(String why) {
        return new CommandException(
                Reason.TRANSPORT, subject + ": " + why + " while " + request.program() + " ran", null);
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

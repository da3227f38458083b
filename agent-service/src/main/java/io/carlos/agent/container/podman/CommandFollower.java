package io.carlos.agent.container.podman;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.CommandException.Reason;
import io.carlos.agent.container.ContainerId;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has podman start one command, and follows it until nothing is left of it. What becomes of it the command is told. */
final class CommandFollower {
    private static final Logger log = LoggerFactory.getLogger(CommandFollower.class);

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

    CommandFollower(
            String subject,
            Podman podman,
            ContainerId container,
            String id,
            CommandRequest request,
            StartRequest start) {
        this.subject = subject;
        this.podman = podman;
        this.container = container;
        this.id = id;
        this.request = request;
        this.start = start;
        this.tree = CommandLaunch.treeOf(id);
    }

    /** Blocks the platform thread until nothing is left of the command. */
    void run(PodmanCommand command, OutputPumps.Sink stdout, OutputPumps.Sink stderr)
            throws IOException, InterruptedException {
        List<String> call = new ArrayList<>(List.of(
                "exec",
                "--interactive",
                // Any key sequence of this kind would end the input where it occurs in it.
                "--detach-keys=",
                "--preserve-fds=1",
                // For the native program, which gives all of it up for the command.
                "--user=0",
                "--privileged",
                "--workdir=/",
                container.value()));
        call.addAll(CommandLaunch.starter(id));
        try (ChildChannel channel = ChildChannel.open()) {
            PipedProcess process = podman.start(call, channel);
            CommandLaunch.Launched launched = launch(command, channel, process);
            switch (launched.report()) {
                case StartReport.Executed() -> carry(command, process, launched.process(), stdout, stderr);
                case StartReport.Failed failed -> {
                    launched.process().ifPresent(PidFd::close);
                    process.closeStreams();
                    await(process);
                    throw CommandRefusals.of(subject, request, failed);
                }
                case StartReport.BrokenOff() -> {
                    launched.process().ifPresent(PidFd::close);
                    throw brokenOff(command, channel, process);
                }
            }
        }
    }

    private CommandLaunch.Launched launch(PodmanCommand command, ChildChannel channel, PipedProcess process)
            throws IOException, InterruptedException {
        try {
            return new CommandLaunch(id, start, channel, tree, command.givenUp()::isDone).run();
        } catch (IOException | RuntimeException e) {
            abort(channel, process);
            throw e;
        }
    }

    private CommandException brokenOff(PodmanCommand command, ChildChannel channel, PipedProcess process)
            throws IOException, InterruptedException {
        if (command.givenUp().isDone()) {
            abort(channel, process);
            String why = command.whyCutShort().orElse("it was given up");
            return new CommandException(
                    command.whyCutShort().isPresent() ? Reason.TRANSPORT : Reason.CANCELLED,
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

    private void carry(
            PodmanCommand command,
            PipedProcess process,
            Optional<PidFd> hold,
            OutputPumps.Sink stdout,
            OutputPumps.Sink stderr)
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
            awaitMain(command, hold.get(), stdin);
        } else {
            command.started().complete(stdin);
        }
        stdin.abandon();
        if (!command.isKilled()) {
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
        complete(command, end);
    }

    private void awaitMain(PodmanCommand command, PidFd hold, CommandInput stdin) throws ProcessCallException {
        try (hold) {
            command.hold(hold);
            try {
                command.started().complete(stdin);
                hold.awaitEnd();
            } finally {
                command.release();
            }
        }
    }

    private void complete(PodmanCommand command, ChildEnd end) throws IOException, InterruptedException {
        Optional<String> whyCutShort = command.whyCutShort();
        if (whyCutShort.isPresent() && !command.isKilled()) {
            throw lost(whyCutShort.get());
        }
        switch (end) {
            case ChildEnd.Exited(int status) -> {
                if (status == STATUS_OF_KILLED && !command.isKilled() && !podman.isRunning(subject, container)) {
                    throw lost("it has died");
                }
                command.ended().complete(CommandEnd.of(status));
            }
            case ChildEnd.Killed(int signal) -> throw lost("podman was killed by signal " + signal);
        }
    }

    private CommandException lost(String why) {
        return new CommandException(
                Reason.TRANSPORT, subject + ": " + why + " while " + request.program() + " ran", null);
    }
}

package io.carlos.agent.container.podman;

import io.carlos.model.linux.process.ChildChannel;
import io.carlos.model.linux.process.PidFd;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.linux.process.ProcessTree;
import io.carlos.model.start.StartReport;
import io.carlos.model.start.StartRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The start of one command, by the native program within its container:
 *
 * <ol>
 *   <li>it is told the length of a request, and is there when it has read that;
 *   <li>it is found among this machine's processes by its mark, and held on to; the command will be this very process;
 *   <li>it is told the request, and says that it executes the program, or why not;
 *   <li>its mark goes, which is the execution itself.
 * </ol>
 *
 * <p>The end of the channel, which would tell the last too, comes late: podman's monitor holds it open for as long as the
 * command runs.
 */
final class CommandLaunch {
    /** In the environment of the native program, and of nobody else; names the command. */
    static final String STARTER_MARK = "CARLOS_EXEC_STARTER";

    /** In the environment of the command; names it. */
    static final String MARK = "CARLOS_EXEC_ID";

    static final Set<String> MARKS = Set.of(STARTER_MARK, MARK);

    private static final Duration TICK = Duration.ofMillis(5);

    private final String id;
    private final byte[] request;
    private final ChildChannel channel;
    private final ProcessTree tree;
    private final BooleanSupplier givenUp;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private boolean ended;

    /**
     * @param tree the command's processes
     * @param givenUp asked all the time
     */
    CommandLaunch(String id, StartRequest request, ChildChannel channel, ProcessTree tree, BooleanSupplier givenUp) {
        this.id = id;
        this.request = request.encode();
        this.channel = channel;
        this.tree = tree;
        this.givenUp = givenUp;
    }

    /** What a command's processes can be found by. */
    static ProcessTree treeOf(String id) {
        return new ProcessTree(
                process -> isMarked(process.pid(), STARTER_MARK, id) || isMarked(process.pid(), MARK, id));
    }

    private static boolean isMarked(int pid, String variable, String id) throws ProcessCallException {
        return ProcFs.environmentVariable(pid, variable).filter(id::equals).isPresent();
    }

    /**
     * What a start came to.
     *
     * @param report {@link StartReport.BrokenOff} also when it was given up
     * @param process the receiver closes the hold; empty when there is none any more
     */
    record Launched(StartReport report, Optional<PidFd> process) {}

    /** Blocks the platform thread. */
    Launched run() throws IOException {
        write(Arrays.copyOf(request, StartRequest.LENGTH_BYTES));
        while (!ended && !channel.hasReadEverything()) {
            hear(TICK);
            if (givenUp.getAsBoolean()) {
                return new Launched(new StartReport.BrokenOff(), Optional.empty());
            }
        }
        Optional<ProcessStat> starter = ended ? Optional.empty() : find();
        Optional<PidFd> hold = starter.isPresent() ? hold(starter.get()) : Optional.empty();
        try {
            return new Launched(report(starter.map(ProcessStat::pid)), hold);
        } catch (IOException | RuntimeException e) {
            hold.ifPresent(PidFd::close);
            throw e;
        }
    }

    /** The one whose parent is none of them. */
    private Optional<ProcessStat> find() throws IOException {
        List<ProcessStat> members = tree.scan().members();
        Set<Integer> numbers = members.stream().map(ProcessStat::pid).collect(Collectors.toSet());
        return members.stream()
                .filter(process -> !numbers.contains(process.parent()))
                .min(Comparator.comparingLong(ProcessStat::startTime));
    }

    private static Optional<PidFd> hold(ProcessStat process) throws ProcessCallException {
        Optional<PidFd> hold = PidFd.open(process.pid());
        boolean same = ProcFs.stat(process.pid())
                .filter(now -> now.identity().equals(process.identity()))
                .isPresent();
        if (!same) {
            hold.ifPresent(PidFd::close);
        }
        return same ? hold : Optional.empty();
    }

    private StartReport report(Optional<Integer> starter) throws IOException {
        write(Arrays.copyOfRange(request, StartRequest.LENGTH_BYTES, request.length));
        while (!ended && !givenUp.getAsBoolean()) {
            hear(TICK);
            StartReport report = StartReport.parse(said.toByteArray());
            if (report instanceof StartReport.Failed) {
                return report;
            }
            if (report instanceof StartReport.Executed && starter.isPresent() && !isStarter(starter.get())) {
                // It says what went wrong before it ends, which also takes its mark away.
                hear(Duration.ZERO);
                return StartReport.parse(said.toByteArray());
            }
        }
        return ended ? StartReport.parse(said.toByteArray()) : new StartReport.BrokenOff();
    }

    private boolean isStarter(int pid) throws ProcessCallException {
        return isMarked(pid, STARTER_MARK, id);
    }

    private void hear(Duration bound) throws ProcessCallException {
        byte[] buffer = new byte[StartReport.MAX_BYTES];
        int count = channel.readWithin(buffer, bound);
        if (count == ChildChannel.END) {
            ended = true;
        } else if (said.size() < StartReport.MAX_BYTES) {
            said.write(buffer, 0, count);
        }
    }

    /** Who has ended reads nothing any more, and may have said why. */
    private void write(byte[] bytes) throws ProcessCallException {
        try {
            channel.write(bytes);
        } catch (ProcessCallException e) {
            if (e.errno() != ProcessCallException.EPIPE && e.errno() != ProcessCallException.ECONNRESET) {
                throw e;
            }
        }
    }
}

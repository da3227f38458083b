package io.carlos.agent.launch.process;

import io.carlos.model.linux.process.PidFd;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.linux.process.Signal;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Kills a process tree for good. It first stops all of it and only then kills: a stopped process neither forks nor
 * leaves its parent, so that the tree holds still, and those of a fork bomb that are stopped already still count
 * against the limit on processes that ends its growth.
 */
final class TreeKiller {
    /** With their pauses, at least two seconds to stop a tree and as long to see it die. */
    private static final int ROUNDS_OF_STOPPING = 60;

    private static final int ROUNDS = 2 * ROUNDS_OF_STOPPING;
    private static final int LONGEST_PAUSE_MILLIS = 50;

    /** How many scans in a row must agree when others keep forking, so that no single one is exact. */
    private static final int AGREEING_SCANS = 3;

    private final ProcessTree tree;
    private final Map<ProcessStat.Identity, ProcessStat> killed = new LinkedHashMap<>();
    private final Map<ProcessStat.Identity, ProcessStat> foreign = new LinkedHashMap<>();

    private TreeKiller(ProcessTree tree) {
        this.tree = tree;
    }

    /**
     * What was done to a tree.
     *
     * @param killed those that were sent SIGKILL and are dead
     * @param foreign those that run on because they took on another user's identity
     */
    record Outcome(List<ProcessStat> killed, List<ProcessStat> foreign) {}

    /**
     * Returns when a scan finds nothing of the tree, or only what another user's identity protects.
     *
     * @param subject what the error names
     * @throws IllegalStateException when processes are left after a bounded number of rounds; it names them
     */
    static Outcome kill(String subject, ProcessTree tree) throws IOException, InterruptedException {
        return new TreeKiller(tree).run(subject);
    }

    /** For a log, an error or a result: the number and program of each, whose name is whatever the tenant made it. */
    static String describe(Collection<ProcessStat> processes) {
        return processes.stream()
                .map(process ->
                        process.pid() + " (" + printable(process.command()) + ", state " + process.state() + ")")
                .collect(Collectors.joining(", "));
    }

    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}|[\\x{80}-\\x{9f}]", "?");
    }

    private Outcome run(String subject) throws IOException, InterruptedException {
        List<ProcessStat> left = List.of();
        int agreeing = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            ProcessTree.Scan scan = tree.scan();
            left = scan.members().stream()
                    .filter(process -> !foreign.containsKey(process.identity()))
                    .toList();
            boolean still = left.stream().allMatch(TreeKiller::holdsStill);
            agreeing = still ? agreeing + 1 : 0;
            boolean certain = still && (scan.exact() || agreeing >= AGREEING_SCANS);
            if (!left.isEmpty()) {
                signalAll(left, certain || round > ROUNDS_OF_STOPPING ? Signal.KILL : Signal.STOP);
                Thread.sleep(Math.min(round, LONGEST_PAUSE_MILLIS));
            } else if (certain) {
                return new Outcome(List.copyOf(killed.values()), List.copyOf(foreign.values()));
            }
        }
        throw new IllegalStateException(subject + ": " + left.size() + " processes are left after " + ROUNDS
                + " rounds of signals: " + describe(left) + "; look at what they wait for");
    }

    private static boolean holdsStill(ProcessStat process) {
        return process.isStopped() || process.mainThreadIsDead();
    }

    private void signalAll(List<ProcessStat> processes, Signal signal) throws IOException {
        for (ProcessStat process : processes) {
            if (signal(process, signal) && signal == Signal.KILL) {
                killed.put(process.identity(), process);
            }
        }
    }

    /** @return whether it was this very process that got the signal */
    private boolean signal(ProcessStat process, Signal signal) throws IOException {
        Optional<PidFd> hold = PidFd.open(process.pid());
        if (hold.isEmpty()) {
            return false;
        }
        try (PidFd held = hold.get()) {
            // The number may have changed hands between the scan and the hold, but not any more after it.
            Optional<ProcessStat> now = ProcFs.stat(process.pid());
            if (now.isEmpty() || !now.get().identity().equals(process.identity())) {
                return false;
            }
            held.signal(signal);
            return true;
        } catch (ProcessCallException e) {
            if (e.errno() != ProcessCallException.EPERM) {
                throw e;
            }
            foreign.put(process.identity(), process);
            return false;
        }
    }
}

package io.carlos.agent.launch.process;

import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A set of processes that is found anew with every scan: those that bear its mark, those that an earlier scan found, and
 * the descendants of both. This JVM and its own ancestors never belong to it. Not for use by several threads at once.
 */
final class ProcessTree {
    private final Mark mark;
    private final Set<ProcessStat.Identity> known = new HashSet<>();

    private ProcessTree(Mark mark) {
        this.mark = mark;
    }

    /**
     * Everything that came of a run's command: the session it leads, and whoever has the run's directory in its
     * environment, which a daemon keeps that left the session and lost its parent. What escapes is a process that also
     * cleared its environment before a scan could find it, or one that forks and exits faster than a scan can follow.
     *
     * @param leader the command's own process, not reaped yet: else the number could name a stranger's session
     */
    static ProcessTree ofRun(int leader, Path runDirectory) {
        String directory = CommandEnvironment.absolute(runDirectory);
        return new ProcessTree(process -> process.session() == leader
                || runDirectory(process).filter(directory::equals).isPresent());
    }

    /** Everything that came of any run whose directory is beneath the one given, by its path or its real path. */
    static ProcessTree ofRunsBeneath(Path dataRoot) throws IOException {
        String given = CommandEnvironment.absolute(dataRoot) + "/";
        String real = (Files.exists(dataRoot) ? dataRoot.toRealPath() : dataRoot) + "/";
        return new ProcessTree(process -> runDirectory(process)
                .filter(directory -> directory.startsWith(given) || directory.startsWith(real))
                .isPresent());
    }

    private static Optional<String> runDirectory(ProcessStat process) throws IOException {
        return ProcFs.environmentVariable(process.pid(), CommandEnvironment.RUN_DIRECTORY);
    }

    /**
     * One look at the whole machine.
     *
     * @param members those of the tree that run; what is dead and only not reaped yet does not count
     * @param exact nobody on the machine forked meanwhile, so that no member can have slipped past the look
     */
    record Scan(List<ProcessStat> members, boolean exact) {}

    Scan scan() throws IOException {
        int before = ProcFs.lastProcessNumber();
        List<ProcessStat> processes = ProcFs.processes();
        Set<Integer> seen = selfAndAncestors(processes);
        Deque<ProcessStat> pending = new ArrayDeque<>();
        for (ProcessStat process : processes) {
            if (!seen.contains(process.pid()) && belongs(process)) {
                pending.add(process);
            }
        }
        Map<Integer, List<ProcessStat>> children =
                processes.stream().collect(Collectors.groupingBy(ProcessStat::parent));
        List<ProcessStat> members = new ArrayList<>();
        while (!pending.isEmpty()) {
            ProcessStat member = pending.remove();
            if (seen.add(member.pid())) {
                pending.addAll(children.getOrDefault(member.pid(), List.of()));
                members.add(member);
            }
        }
        members.removeIf(ProcessStat::isDead);
        members.forEach(member -> known.add(member.identity()));
        return new Scan(members, ProcFs.lastProcessNumber() == before);
    }

    private boolean belongs(ProcessStat process) throws IOException {
        return known.contains(process.identity()) || mark.isOn(process);
    }

    private static Set<Integer> selfAndAncestors(List<ProcessStat> processes) {
        Map<Integer, ProcessStat> byPid = processes.stream()
                .collect(Collectors.toMap(ProcessStat::pid, Function.identity(), (one, other) -> one));
        Set<Integer> found = new HashSet<>();
        ProcessStat process = byPid.get((int) ProcessHandle.current().pid());
        while (process != null && found.add(process.pid())) {
            process = byPid.get(process.parent());
        }
        return found;
    }

    @FunctionalInterface
    private interface Mark {
        boolean isOn(ProcessStat process) throws IOException;
    }
}

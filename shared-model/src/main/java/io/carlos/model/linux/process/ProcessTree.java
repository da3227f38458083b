package io.carlos.model.linux.process;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A set of processes that is found anew with every scan: those that bear its mark, those that an earlier scan found,
 * and the descendants of both. This JVM and its own ancestors never belong to it. Not for use by several threads at
 * once.
 */
public final class ProcessTree {
    private final Mark mark;
    private final Set<ProcessStat.Identity> known = new HashSet<>();

    public ProcessTree(Mark mark) {
        this.mark = mark;
    }

    /**
     * One look at the whole machine.
     *
     * @param members those of the tree that run; what is dead and only not reaped yet does not count
     * @param exact nobody on the machine forked meanwhile, so that no member can have slipped past the look
     */
    public record Scan(List<ProcessStat> members, boolean exact) {}

    public Scan scan() throws IOException {
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

    /** What the members of a set have in common. */
    @FunctionalInterface
    public interface Mark {
        boolean isOn(ProcessStat process) throws IOException;
    }
}

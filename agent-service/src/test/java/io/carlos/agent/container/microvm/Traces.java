package io.carlos.agent.container.microvm;

import io.carlos.model.linux.MountTable;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What machines beneath a run root are seen by on this one.
 *
 * @param processes numbers and names; also of those that have ended and that nobody reaped, but the orphans
 * @param sockets by the paths that they were bound to
 * @param files beneath the run root
 * @param mounts of this process's namespace that show a file of the run root or of the workspace, or are there
 */
record Traces(Set<String> processes, Set<String> sockets, Set<String> files, List<String> mounts) {
    /** Reaps the children of those that have ended, when it comes to it. */
    private static final int INIT = 1;

    /** @param sessions in which processes are known to be, whatever they show */
    static Traces of(Path runRoot, Path workspace, Collection<Integer> sessions) throws IOException {
        return new Traces(processes(runRoot, sessions), sockets(runRoot), files(runRoot), mounts(runRoot, workspace));
    }

    private static Set<String> processes(Path runRoot, Collection<Integer> sessions) throws IOException {
        Set<String> found = new TreeSet<>();
        for (ProcessStat process : ProcFs.processes()) {
            if (process.isDead() && process.parent() == INIT) {
                continue;
            }
            boolean marked = ProcFs.environmentVariable(process.pid(), LeftSessions.MARK)
                    .filter(session -> session.startsWith(runRoot.toString()))
                    .isPresent();
            if (marked || sessions.contains(process.session()) || commandNames(process, runRoot)) {
                found.add(process.pid() + " " + process.command());
            }
        }
        return found;
    }

    /** passt lets nobody read its environment, but its arguments. */
    private static boolean commandNames(ProcessStat process, Path runRoot) throws IOException {
        try {
            Path arguments = Path.of("/proc", Integer.toString(process.pid()), "cmdline");
            return Files.readString(arguments, StandardCharsets.ISO_8859_1).contains(runRoot.toString());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static Set<String> sockets(Path runRoot) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/net/unix"), StandardCharsets.ISO_8859_1)) {
            Set<String> found = new TreeSet<>();
            lines.filter(line -> line.contains(runRoot.toString()))
                    .map(line -> line.substring(line.indexOf('/')))
                    .forEach(found::add);
            return found;
        }
    }

    private static Set<String> files(Path runRoot) throws IOException {
        try (Stream<Path> files = Files.walk(runRoot)) {
            Set<String> found = new TreeSet<>();
            files.map(Path::toString).forEach(found::add);
            return found;
        }
    }

    private static List<String> mounts(Path runRoot, Path workspace) throws IOException {
        return MountTable.read().mounts().stream()
                .map(Object::toString)
                .filter(mount -> mount.contains(runRoot.toString()) || mount.contains(workspace.toString()))
                .toList();
    }
}

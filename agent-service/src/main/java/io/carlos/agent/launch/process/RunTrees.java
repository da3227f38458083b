package io.carlos.agent.launch.process;

import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.linux.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** How the processes of runs are found. */
final class RunTrees {
    private RunTrees() {}

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
}

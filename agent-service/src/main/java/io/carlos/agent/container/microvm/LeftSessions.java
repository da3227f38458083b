package io.carlos.agent.container.microvm;

import io.carlos.agent.container.ContainerId;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.linux.process.ProcessTree;
import io.carlos.model.linux.process.TreeKiller;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of an agent that is no more. They are ended and not taken over: nobody knows any longer which commands ran in
 * them, and whoever asked for those hears that they were interrupted.
 */
final class LeftSessions {
    /** Marks every process of a session by the session's directory. */
    static final String MARK = "CARLOS_MICROVM_SESSION";

    private static final Logger log = LoggerFactory.getLogger(LeftSessions.class);

    private LeftSessions() {}

    /**
     * To be called before the first session is made, by the only agent of the directory.
     *
     * @throws IllegalStateException when a process does not die; it is named
     */
    static void clean(Path parent) throws IOException, InterruptedException {
        try (DirectoryStream<Path> sessions = Files.newDirectoryStream(parent)) {
            for (Path session : sessions) {
                Optional<ContainerId> id = id(session);
                if (id.isPresent()) {
                    clean(SessionDirectory.of(parent, id.get()));
                } else {
                    log.warn("microvm: {}: left as it is: no session has such a name", session);
                }
            }
        }
    }

    private static Optional<ContainerId> id(Path session) {
        try {
            return Optional.of(new ContainerId(session.getFileName().toString()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void clean(SessionDirectory session) throws IOException, InterruptedException {
        Set<ProcessStat.Identity> recorded = recorded(session);
        // A process whose start was not written down any more has its environment to show. passt lets nobody read that,
        // but its words, in which it has this path as one, as those have who were started to start it.
        String network = session.networkSocket().toString();
        ProcessTree tree = new ProcessTree(process -> recorded.contains(process.identity())
                || ProcFs.environmentVariable(process.pid(), MARK)
                        .filter(session.path().toString()::equals)
                        .isPresent()
                || ProcFs.commandLine(process.pid()).contains(network));
        TreeKiller.Outcome outcome = TreeKiller.kill("session " + session, tree);
        log.warn(
                "microvm: {}: cleaned what an earlier agent left; killed: {}",
                session,
                TreeKiller.describe(outcome.killed()));
        session.remove();
    }

    private static Set<ProcessStat.Identity> recorded(SessionDirectory session) throws IOException {
        String boot = SessionRecord.currentBoot();
        return SessionRecord.read(session)
                .filter(record -> record.boot().equals(boot))
                .map(record -> record.programs().stream()
                        .map(SessionRecord.Started::identity)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
    }
}

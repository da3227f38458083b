package io.carlos.guest.exec;

import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessTree;
import io.carlos.model.linux.process.TreeKiller;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a command's processes where there are no control groups: by its session, by a mark in their environment, and as
 * descendants of both. What escapes is a process that left the session, lost its parent and cleared its environment.
 */
final class SessionContainment implements Containment {
    /** The mark: names the exec. */
    static final String VARIABLE = "CARLOS_EXEC_ID";

    private static final Logger log = LoggerFactory.getLogger(SessionContainment.class);

    private final String execId;
    private final Children.Child child;
    private final ProcessTree tree;

    private SessionContainment(String execId, Children.Child child) {
        this.execId = execId;
        this.child = child;
        this.tree = treeOf(execId, child);
    }

    /** What can be found of a command that has {@link #VARIABLE} in its environment. */
    static ProcessTree treeOf(String execId, Children.Child child) {
        return new ProcessTree(process -> child.leads(process.session())
                || ProcFs.environmentVariable(process.pid(), VARIABLE)
                        .filter(execId::equals)
                        .isPresent());
    }

    static final class Factory implements Containment.Factory {
        @Override
        public ExecCommand prepare(String execId, ExecCommand command) {
            return command.with(VARIABLE, execId);
        }

        @Override
        public Containment contain(String execId, Children.Child child) {
            return new SessionContainment(execId, child);
        }
    }

    /** Most commands leave nobody, and then the machine's processes need not be searched. */
    @Override
    public void kill() throws IOException, InterruptedException {
        if (child.mayHaveLeftSome()) {
            TreeKiller.Outcome outcome = TreeKiller.kill("exec " + execId, tree);
            if (!outcome.foreign().isEmpty()) {
                log.error(
                        "kill: exec {}: another identity protects {}", execId, TreeKiller.describe(outcome.foreign()));
            }
        }
    }

    @Override
    public void close() {
        // There is nothing but names of processes, and those are gone.
    }
}

package io.carlos.guest.exec;

import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.StarterThread;
import io.carlos.model.linux.process.UserIdentity;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Starts a command's main process: in a session and process group of its own, under the command's uid and that user's
 * group, without supplementary groups and capabilities, unable to gain any, and with the descriptors 0 to 2 only.
 */
@FunctionalInterface
interface ChildStarter {
    /**
     * Returns when the program has been executed, so that every later status is the program's own, 126 and 127 too.
     *
     * @throws ExecRefusedException when it could not be executed
     */
    PipedProcess start(ExecCommand command) throws ExecRefusedException;

    /** Called on each thread before the first start that it makes. */
    default void prepareThread() throws ProcessCallException {
        StarterThread.renouncePrivileges();
    }

    /**
     * The starter for what this process may do.
     *
     * @param nativeProgram takes on a user's ids in the child; without it, root's threads do so
     */
    static ChildStarter ofThisProcess(GroupLookup groups, Optional<Path> nativeProgram) {
        Optional<UserIdentity> own = StarterThread.ownIdentity();
        if (own.isPresent()) {
            return new OwnUserStarter(own.get());
        }
        return nativeProgram
                .<ChildStarter>map(program -> new NativeStarter(groups, program))
                .orElseGet(() -> new SwitchingStarter(groups));
    }
}

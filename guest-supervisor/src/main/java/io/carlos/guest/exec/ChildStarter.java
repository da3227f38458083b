package io.carlos.guest.exec;

import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.StarterThread;

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

    /** The starter for what this process may do. */
    static ChildStarter ofThisProcess(GroupLookup groups) {
        return StarterThread.ownIdentity()
                .<ChildStarter>map(OwnUserStarter::new)
                .orElseGet(() -> new SwitchingStarter(groups));
    }
}

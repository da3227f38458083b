package io.carlos.guest.exec;

import io.carlos.guest.exec.ExecRefusedException.Reason;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.UserIdentity;

/** For a supervisor without privileges: runs commands as its own user, and no others. */
record OwnUserStarter(UserIdentity own) implements ChildStarter {
    @Override
    public PipedProcess start(ExecCommand command, PendingStart start) throws ExecRefusedException {
        if (command.uid() != own.uid()) {
            throw new ExecRefusedException(
                    Reason.IDENTITY,
                    "uid " + Integer.toUnsignedString(command.uid()) + ": this supervisor is no root and runs commands"
                            + " as its own uid " + Integer.toUnsignedString(own.uid()) + " only");
        }
        return ProgramStart.start(command);
    }
}

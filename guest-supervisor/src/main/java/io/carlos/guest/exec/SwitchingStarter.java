package io.carlos.guest.exec;

import io.carlos.guest.exec.ExecRefusedException.Reason;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.StarterThread;
import io.carlos.model.linux.process.UserIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * For a supervisor that is root and has no native program: runs commands as anybody else, whose ids the calling thread
 * takes on for the moment of the start. To be called on threads made by {@link StarterThreads}.
 */
final class SwitchingStarter implements ChildStarter {
    private final GroupLookup groups;

    SwitchingStarter(GroupLookup groups) {
        this.groups = groups;
    }

    @Override
    public PipedProcess start(ExecCommand command) throws ExecRefusedException {
        try {
            UserIdentity user = new UserIdentity(command.uid(), groups.groupOf(command.uid()));
            String program = StarterThread.lookAs(user, () -> ProgramStart.find(command));
            return StarterThread.startAs(user, () -> ProgramStart.execute(command, program, Optional.of(user)));
        } catch (ExecRefusedException e) {
            throw e;
        } catch (ProcessCallException e) {
            throw identityRefused(command, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException("starting a command threw what it never declares", e);
        }
    }

    static ExecRefusedException identityRefused(ExecCommand command, ProcessCallException e) {
        return new ExecRefusedException(
                Reason.IDENTITY,
                "uid " + Integer.toUnsignedString(command.uid()) + ": cannot be taken on here: " + e.getMessage(),
                e);
    }
}

package io.carlos.agent.launch.unit;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.model.control.CmdAnswer;
import io.carlos.model.control.MainCode;
import io.carlos.model.files.StatusFile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a command ended, once its control group is empty. Its status file says so: systemd may report a success, or
 * nothing, for a command that failed. Pure.
 */
final class CommandEnds {
    static final String START_FAILED = "start failed";

    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;
    private static final int SIGKILL = 9;
    private static final int MAX_SIGNAL = 64;
    private static final String OUT_OF_MEMORY = "oom-kill";

    private CommandEnds() {}

    /**
     * @param status empty when the unit's program never came to write one
     * @param systemd what systemd says of the unit, if it was asked while the unit was there
     */
    static CommandEnd of(Optional<StatusFile> status, @Nullable CmdAnswer systemd) {
        if (status.isEmpty()) {
            return new CommandEnd.Interrupted(START_FAILED, "");
        }
        int number = status.get().status();
        return switch (status.get().cause()) {
            case EXITED -> new CommandEnd.Exited(number, "");
            case KILLED -> new CommandEnd.Killed(number, "");
            case REFUSED -> refused(number);
            case RUNNING -> killedFromOutside(systemd);
        };
    }

    /**
     * The end of a command whose instance was stopped. It may have come to its end by itself just before, which nobody can
     * tell from one that was told to end and did.
     */
    static CommandEnd interrupted(String reason, Optional<StatusFile> status) {
        String note = status.filter(file -> file.cause() == StatusFile.Cause.EXITED)
                .map(file -> ", unless it had ended before: it exited with " + file.status())
                .orElse("");
        return new CommandEnd.Interrupted(reason, "the command was stopped with it" + note);
    }

    private static CommandEnd refused(int status) {
        return switch (status) {
            case NOT_EXECUTABLE -> new CommandEnd.Exited(status, "the instance's program is not executable");
            case NOT_FOUND -> new CommandEnd.Exited(status, "the instance's program is not there");
            default -> new CommandEnd.Interrupted(START_FAILED, "");
        };
    }

    /** Its first process, which writes the file, can be ended by no other signal than this unless systemd knows better. */
    private static CommandEnd killedFromOutside(@Nullable CmdAnswer systemd) {
        if (systemd == null) {
            return new CommandEnd.Killed(SIGKILL, "");
        }
        String note = systemd.result().equals(OUT_OF_MEMORY) ? "the instance was out of memory" : "";
        boolean bySignal = systemd.code() == MainCode.KILLED || systemd.code() == MainCode.DUMPED;
        boolean possible = systemd.status() >= 1 && systemd.status() <= MAX_SIGNAL;
        return new CommandEnd.Killed(bySignal && possible ? systemd.status() : SIGKILL, note);
    }
}

package io.carlos.control.verb;

import io.carlos.control.unit.UnitStatus;
import io.carlos.model.control.MainCode;
import io.carlos.model.control.SeedAnswer;
import io.carlos.model.files.StatusFile;
import io.carlos.model.names.InvocationId;
import java.util.Optional;
import java.util.Set;

/**
 * How a seed ended whose control group is empty. The program in its namespace has seen the end; systemd may have taken the
 * main process for a stranger and then shows a success that was none.
 */
final class SeedEnd {
    static final String SUCCESS = "success";

    private static final String EXIT_CODE = "exit-code";
    private static final String SIGNAL = "signal";
    private static final int SIGKILL = 9;

    /** What systemd concludes from the status alone; any other result, such as oom-kill, it knows for itself. */
    private static final Set<String> OF_THE_STATUS = Set.of("", SUCCESS, EXIT_CODE, SIGNAL, "core-dump");

    private SeedEnd() {}

    static SeedAnswer of(InvocationId invocation, UnitStatus status, Optional<StatusFile> file) {
        if (file.isEmpty()) {
            return new SeedAnswer(invocation, status.result(), status.mainStatus(), status.mainCode());
        }
        int ended = file.get().status();
        return switch (file.get().cause()) {
            case EXITED, REFUSED ->
                new SeedAnswer(invocation, result(status, ended == 0 ? SUCCESS : EXIT_CODE), ended, MainCode.EXITED);
            case KILLED -> new SeedAnswer(invocation, result(status, SIGNAL), ended, MainCode.KILLED);
            case RUNNING -> killedFromOutside(invocation, status);
        };
    }

    private static String result(UnitStatus status, String ofTheFile) {
        return OF_THE_STATUS.contains(status.result()) ? ofTheFile : status.result();
    }

    /** Nobody was left to write how it ended. */
    private static SeedAnswer killedFromOutside(InvocationId invocation, UnitStatus status) {
        return switch (status.mainCode()) {
            case KILLED, DUMPED ->
                new SeedAnswer(invocation, result(status, SIGNAL), status.mainStatus(), status.mainCode());
            case NONE, EXITED -> new SeedAnswer(invocation, result(status, SIGNAL), SIGKILL, MainCode.KILLED);
        };
    }
}

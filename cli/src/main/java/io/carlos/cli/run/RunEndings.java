package io.carlos.cli.run;

import io.carlos.cli.exit.CliExit;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.RunResult;
import java.util.ArrayList;
import java.util.List;

/**
 * What the end of a run means to whoever asked for it.
 *
 * @param exitCode the command's own where it has one; 128 + the signal's number after a signal
 * @param remarks sentences for stderr
 */
record RunEndings(int exitCode, List<String> remarks) {
    private static final int SIGNALLED = 128;
    private static final String EXPIRED = "expired";

    static RunEndings of(FollowEnd end) {
        return switch (end) {
            case FollowEnd.Ended(RunResult result) -> of(result);
            case FollowEnd.Incomplete(RunResult result, long missing) ->
                new RunEndings(
                        CliExit.REFUSED.code(),
                        List.of("the output is incomplete: the store lacks chunk " + missing + " of "
                                + result.lastSeq()
                                + "; see how the run itself ended with carlos runs explain"));
            case FollowEnd.OverWhileQueued(ActiveRun.Outcome outcome) ->
                switch (outcome) {
                    case EXPIRED -> expired();
                    case CANCELLED -> cancelledWhileQueued();
                    case FINISHED -> unknown("its record says finished, and there is no result");
                };
            case FollowEnd.Unknown(String detail) -> unknown(detail);
        };
    }

    private static RunEndings of(RunResult result) {
        if (result.refused().equals(EXPIRED)) {
            return expired();
        }
        if (!result.refused().isEmpty()) {
            return new RunEndings(
                    CliExit.REFUSED.code(),
                    List.of("the run was refused (" + result.refused() + "): " + result.detail()));
        }
        if (!result.interrupted().isEmpty()) {
            String detail = result.remark().isEmpty() ? "" : "; " + result.remark();
            return new RunEndings(
                    CliExit.REFUSED.code(), List.of("the run was interrupted: " + result.interrupted() + detail));
        }
        if (result.cancelled() && result.started() == null) {
            return cancelledWhileQueued();
        }
        List<String> remarks = new ArrayList<>();
        if (result.timedOut()) {
            remarks.add("the command was stopped: its timeout ran out");
        }
        if (result.cancelled()) {
            remarks.add("the command was stopped: the run was cancelled");
        }
        if (result.truncated()) {
            remarks.add("the output was cut: a run keeps the first 64 MiB");
        }
        if (!result.remark().isEmpty()) {
            remarks.add(result.remark());
        }
        return new RunEndings(exitCode(result), remarks);
    }

    private static int exitCode(RunResult result) {
        if (result.signal().isEmpty()) {
            return result.exit();
        }
        try {
            return SIGNALLED + Integer.parseInt(result.signal());
        } catch (NumberFormatException e) {
            return SIGNALLED; // by a signal that a newer box has another word for
        }
    }

    private static RunEndings expired() {
        return new RunEndings(
                CliExit.NOT_PICKED_UP.code(),
                List.of(
                        "no box picked the run up in time, so it will not be executed: see that an agent is at work on this"
                                + " store, and ask again"));
    }

    private static RunEndings cancelledWhileQueued() {
        return new RunEndings(
                CliExit.INTERRUPTED.code(),
                List.of("the run was cancelled before it had started; nothing was executed"));
    }

    private static RunEndings unknown(String detail) {
        return new RunEndings(CliExit.REFUSED.code(), List.of("nothing tells how the run ended: " + detail));
    }
}

package io.carlos.cli.run;

import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunHistory;
import io.carlos.model.runs.RunHistory.StoredOutput;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What became of a run, told in lines for people. Pure. */
final class RunStory {
    private RunStory() {}

    /** One word or two: where the run is. */
    static String state(RunHistory history) {
        RunResult result = history.result();
        if (result != null) {
            if (!result.refused().isEmpty()) {
                return result.refused().equals("expired") ? "expired" : "refused";
            }
            if (!result.interrupted().isEmpty()) {
                return "interrupted";
            }
            return result.cancelled() ? "cancelled" : result.timedOut() ? "timed out" : "finished";
        }
        ActiveRun run = history.run();
        if (run == null) {
            return "unknown";
        }
        return run.outcome() == null ? run.state().toString() : run.outcome().toString();
    }

    /** The exit status or signal, or nothing while there is none. */
    static String exit(RunHistory history) {
        RunResult result = history.result();
        if (result == null || result.started() == null) {
            return "";
        }
        return result.signal().isEmpty() ? Integer.toString(result.exit()) : "signal " + result.signal();
    }

    /** The whole of it, in the order in which it happened. */
    static List<String> lines(RunHistory history) {
        RunRequest request = history.request();
        List<String> lines = new ArrayList<>();
        lines.add("run        " + request.id() + " on " + request.host() + " (account " + request.account() + ", app "
                + request.app() + ")");
        lines.add("command    " + String.join(" ", request.argv()));
        lines.add("asked for  " + request.requestedAt() + " by " + request.requestedBy() + ", timeout "
                + text(request.timeout()) + ", " + request.files().size() + " input files");
        ActiveRun run = history.run();
        if (run != null && run.box() != null) {
            String waited = run.pickedAt() == null
                    ? ""
                    : ", " + after(request.requestedAt(), run.pickedAt()) + " after it was asked for";
            lines.add("picked     by box " + run.box() + waited + ", boot " + run.bootId() + ", attempt "
                    + run.attempt());
        } else if (run != null && run.state() == ActiveRun.State.QUEUED) {
            lines.add("queued     no box has it; it may be picked until " + run.deadline());
        }
        RunResult result = history.result();
        if (result != null && result.started() != null) {
            lines.add("started    " + result.started() + " on box " + result.box() + ", "
                    + after(request.requestedAt(), result.started()) + " after it was asked for");
        }
        lines.add("output     " + output(history.output()));
        if (result != null) {
            lines.addAll(end(request, result));
        } else if (run != null) {
            lines.add("state      " + state(history));
        } else {
            lines.add("state      unknown: its record names another run, and there is no result");
        }
        return lines;
    }

    private static List<String> end(RunRequest request, RunResult result) {
        List<String> lines = new ArrayList<>();
        String lasted = result.started() == null
                ? after(request.requestedAt(), result.ended()) + " after it was asked for"
                : "after " + after(result.started(), result.ended());
        lines.add("ended      " + result.ended() + ", " + lasted);
        if (!result.refused().isEmpty()) {
            lines.add("why        refused: " + result.refused());
        } else if (!result.interrupted().isEmpty()) {
            lines.add("why        interrupted: " + result.interrupted());
        } else if (result.cancelled()) {
            lines.add("why        cancelled");
        } else if (result.timedOut()) {
            lines.add("why        its timeout ran out");
        } else {
            lines.add("why        the command ended by itself");
        }
        if (result.started() != null) {
            lines.add("exit       " + (result.signal().isEmpty() ? result.exit() : "signal " + result.signal()));
        }
        if (!result.detail().isEmpty()) {
            lines.add("detail     " + result.detail());
        }
        return lines;
    }

    private static String output(StoredOutput output) {
        if (output.chunks() == 0 || output.first() == null || output.last() == null) {
            return "none is stored";
        }
        return output.chunks() + " chunks, " + output.stdoutBytes() + " bytes on stdout and " + output.stderrBytes()
                + " bytes on stderr, stored within " + after(output.first(), output.last());
    }

    private static String after(Instant from, Instant to) {
        return text(Duration.between(from, to));
    }

    /** Seconds to the millisecond below a minute, and whole units above: nobody reads an ISO duration. */
    static String text(Duration duration) {
        if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
            return duration.toMillis() / 1000.0 + " s";
        }
        List<String> parts = new ArrayList<>();
        if (duration.toHours() > 0) {
            parts.add(duration.toHours() + " h");
        }
        if (duration.toMinutesPart() > 0) {
            parts.add(duration.toMinutesPart() + " min");
        }
        if (duration.toSecondsPart() > 0) {
            parts.add(duration.toSecondsPart() + " s");
        }
        return String.join(" ", parts);
    }
}

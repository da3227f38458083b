package io.carlos.agent.runs;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.model.runs.RunResult;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How one execution ended, before it is known which output was stored: all of a result but that. Pure. */
record Ending(
        int exit,
        String signal,
        @Nullable Instant started,
        boolean cancelled,
        boolean timedOut,
        String interrupted,
        String refused,
        String detail) {
    private static final String LOST = "the command was lost";

    /** It never started, by a rule. */
    static Ending refused(String rule, String detail) {
        return new Ending(0, "", null, false, false, "", rule, detail);
    }

    /** It never started, or nothing tells how it ended, by no doing of its own. */
    static Ending interrupted(String why, String detail) {
        return new Ending(0, "", null, false, false, why, "", detail);
    }

    /** Somebody asked for the end before it had started. */
    static Ending cancelledBeforeLaunch() {
        return new Ending(0, "", null, true, false, "", "", "cancelled before it had started");
    }

    /**
     * It never started: it was asked to end, or had its time, before it could.
     *
     * @param reason null for its time
     * @throws LeaseLostException when nothing may be written of it
     */
    static Ending beforeLaunch(@Nullable StopReason reason) throws LeaseLostException {
        return switch (reason) {
            case null -> interrupted(RunDecision.START_FAILED, "it had not started in time");
            case StopReason.TimedOut() -> interrupted(RunDecision.START_FAILED, "it had not started in time");
            case StopReason.Cancelled() -> cancelledBeforeLaunch();
            case StopReason.Interrupted(String why) -> interrupted(why, "it had not started");
            case StopReason.LeaseLost() -> throw new LeaseLostException("the lease ended before the launch");
        };
    }

    /** It ran, and its own end is reported whoever brought that about. */
    static Ending ran(Instant started, CommandEnd end, @Nullable StopReason stop) {
        boolean cancelled = stop instanceof StopReason.Cancelled;
        boolean timedOut = stop instanceof StopReason.TimedOut;
        String interrupted = stop instanceof StopReason.Interrupted(String why) ? why : "";
        return switch (end) {
            case CommandEnd.Exited(int status, String note) ->
                new Ending(status, "", started, cancelled, timedOut, interrupted, "", note);
            case CommandEnd.Killed(int signal, String note) ->
                new Ending(0, Integer.toString(signal), started, cancelled, timedOut, interrupted, "", note);
            case CommandEnd.Interrupted(String reason, String note) ->
                ranTo(started, cancelled, timedOut, interrupted.isEmpty() ? reason : interrupted, note);
            case CommandEnd.Lost(String note) ->
                ranTo(started, cancelled, timedOut, interrupted.isEmpty() ? LOST : interrupted, note);
        };
    }

    private static Ending ranTo(
            Instant started, boolean cancelled, boolean timedOut, String interrupted, String detail) {
        return new Ending(0, "", started, cancelled, timedOut, interrupted, "", detail);
    }

    /** The same with something to say before what it says already. */
    Ending noting(String note) {
        String both = Stream.of(note, detail).filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
        return new Ending(exit, signal, started, cancelled, timedOut, interrupted, refused, both);
    }

    RunResult result(Chunker.Stored stored, String box, Instant ended) {
        return new RunResult(
                RunResult.SCHEMA,
                exit,
                signal,
                started,
                ended,
                stored.lastSeq(),
                stored.truncated(),
                cancelled,
                timedOut,
                interrupted,
                refused,
                detail,
                box);
    }
}

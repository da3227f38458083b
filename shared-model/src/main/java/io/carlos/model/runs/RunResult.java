package io.carlos.model.runs;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended; stored when all of its output is, and never changed.
 *
 * @param exit the command's exit status; 0 when a signal ended it or it never ran
 * @param signal the number of the signal that ended the command; empty for none
 * @param started when the command was started; null when it never was
 * @param lastSeq the seq of the last chunk; 0 when there was no output
 * @param truncated whether output past the limit was dropped
 * @param cancelled whether somebody asked for the end
 * @param timedOut whether the run's own timeout ended it
 * @param interrupted why the platform ended it or could not start it; empty when it did neither
 * @param refused which rule kept it from starting; empty when none did
 * @param detail one sentence for the person who asked; may be empty
 * @param box the box that executed it; empty when none did
 */
public record RunResult(
        int schema,
        int exit,
        String signal,
        @Nullable Instant started,
        Instant ended,
        long lastSeq,
        boolean truncated,
        boolean cancelled,
        boolean timedOut,
        String interrupted,
        String refused,
        String detail,
        String box) {
    public static final int SCHEMA = 1;

    /** How the detail begins when the command ran without isolation: always, where boxes have no other backend. */
    public static final String NO_ISOLATION = "no isolation";

    private static final String SEPARATOR = "; ";

    /** What the detail says of this one run; empty when it is about the isolation alone. */
    public String remark() {
        if (detail.equals(NO_ISOLATION)) {
            return "";
        }
        return detail.startsWith(NO_ISOLATION + SEPARATOR)
                ? detail.substring((NO_ISOLATION + SEPARATOR).length())
                : detail;
    }

    /** A run that no box had when it was cancelled. */
    public static RunResult cancelledWhileQueued(Instant now) {
        return new RunResult(
                SCHEMA, 0, "", null, now, 0, false, true, false, "", "", "cancelled before a box had picked it", "");
    }

    /** A run that no box picked in time. */
    public static RunResult expired(Instant now) {
        return new RunResult(
                SCHEMA, 0, "", null, now, 0, false, false, false, "", "expired", "no box picked it in time", "");
    }

    /** A run whose box cannot say how it ended. */
    public static RunResult interrupted(
            String why, String detail, long lastSeq, boolean cancelled, String box, Instant now) {
        return new RunResult(SCHEMA, 0, "", null, now, lastSeq, false, cancelled, false, why, "", detail, box);
    }
}

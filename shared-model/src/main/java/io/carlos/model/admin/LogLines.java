package io.carlos.model.admin;

import java.time.Instant;
import java.util.List;

/**
 * Lines that a program printed, in their order.
 *
 * @param dropped how many lines after the one that was asked for are no longer kept, and so are not among these
 * @param last the sequence number to go on after; what was asked for when there are no lines
 */
public record LogLines(List<Line> lines, long dropped, long last) {
    public LogLines {
        lines = List.copyOf(lines);
    }

    /**
     * One line, without its end.
     *
     * @param seq grows by one with each line of the same program
     * @param at when it was read
     */
    public record Line(long seq, Instant at, String text) {}
}

package io.carlos.model.admin;

import java.time.Instant;
import java.util.List;

/**
 * Lines that a program printed, in their order.
 *
 * @param dropped how many lines before the first of these were asked for and are not kept any more
 * @param next the number of the line to go on with
 */
public record LogLines(List<Line> lines, long dropped, long next) {
    public LogLines {
        lines = List.copyOf(lines);
    }

    /**
     * One line, without its end.
     *
     * @param seq its number among the lines of its host and role since the agent's start, from 1
     * @param at when the agent read it
     * @param continues whether it was too long, and goes on in a later one
     */
    public record Line(long seq, Instant at, String text, boolean continues) {}
}

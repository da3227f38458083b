package io.carlos.agent.logs;

import java.util.List;

/**
 * What a reader gets at a time.
 *
 * @param dropped how many lines before the first of these are not kept any more
 * @param next the number of the line to go on with
 */
public record LogPage(List<LogLine> lines, long dropped, long next) {
    public LogPage {
        lines = List.copyOf(lines);
    }
}

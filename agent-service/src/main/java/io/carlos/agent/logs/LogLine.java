package io.carlos.agent.logs;

import java.time.Instant;

/**
 * A line that an instance printed.
 *
 * @param seq its number among the lines of its host and role since the agent's start, from 1
 * @param at when the agent read it
 * @param text without the line's end; what was no UTF-8 is replaced by U+FFFD
 * @param continues whether the line was too long and goes on in the next one of the same connection
 */
public record LogLine(long seq, Instant at, String text, boolean continues) {}

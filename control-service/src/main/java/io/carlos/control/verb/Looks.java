package io.carlos.control.verb;

import java.time.Duration;

/**
 * The pauses between looks at a unit that tells nothing by itself, each twice as long as the one before.
 *
 * @param first the first pause
 * @param longest the one that they end at
 */
public record Looks(Duration first, Duration longest) {
    Duration after(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(longest) < 0 ? twice : longest;
    }
}

package io.carlos.agent.logs;

import java.time.Duration;

/**
 * What one instance may print, and how much of it is kept.
 *
 * @param linesPerSecond of all roles of a host together; one that prints more is made to wait
 * @param bytesPerSecond likewise
 * @param burst what a host that was silent may print at once, as the time that it is enough for at those rates
 * @param keptLines the most that is kept of a role of a host
 * @param keptBytes likewise, about the memory that it takes
 */
public record LogLimits(int linesPerSecond, int bytesPerSecond, Duration burst, int keptLines, int keptBytes) {
    public static final LogLimits DEFAULT = new LogLimits(1_000, 256 * 1024, Duration.ofSeconds(10), 1_000, 128 * 1024);

    public LogLimits {
        if (linesPerSecond < 1 || bytesPerSecond < 1 || keptLines < 1 || keptBytes < 1 || burst.isNegative()) {
            throw new IllegalArgumentException("log limits: expected numbers from 1, found " + linesPerSecond
                    + " lines and " + bytesPerSecond + " bytes a second, burst " + burst + ", kept " + keptLines
                    + " lines and " + keptBytes + " bytes");
        }
    }
}

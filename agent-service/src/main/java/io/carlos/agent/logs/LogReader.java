package io.carlos.agent.logs;

import java.time.Duration;

/** Reads the lines of one role of one host, and follows those to come. For one thread. */
public final class LogReader {
    private static final int PAGE_LINES = 500;

    private final LogBuffer buffer;
    private long next;

    LogReader(LogBuffer buffer, long from) {
        this.buffer = buffer;
        this.next = from;
    }

    /** The lines that came since, at most 500 at a time; when there are none, those that come within the wait. */
    public LogPage read(Duration wait) throws InterruptedException {
        LogPage page = buffer.read(next, PAGE_LINES, wait);
        next = page.next();
        return page;
    }
}

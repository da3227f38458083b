package io.carlos.agent.logs;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The newest lines of one role of one host, within bounds of lines and bytes. Any thread may add and read. */
final class LogBuffer {
    /** What a line takes besides its text. */
    private static final int LINE_OVERHEAD = 80;

    private final int keptLines;
    private final int keptBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final Deque<LogLine> lines = new ArrayDeque<>();
    private long next = 1;
    private int bytes;

    LogBuffer(LogLimits limits) {
        this.keptLines = limits.keptLines();
        this.keptBytes = limits.keptBytes();
    }

    void add(Instant at, String text, boolean continues) {
        lock.lock();
        try {
            LogLine line = new LogLine(next++, at, text, continues);
            lines.add(line);
            bytes += size(line);
            while (lines.size() > keptLines || bytes > keptBytes && lines.size() > 1) {
                bytes -= size(lines.remove());
            }
            added.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The number that the next line will have. */
    long next() {
        lock.lock();
        try {
            return next;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The kept lines from a number on. When there are none yet, it waits for one.
     *
     * @param from a number that is still to come by more than one is of an earlier agent's start: then all that is kept is given
     * @param most of lines in the answer, 1 or more
     */
    LogPage read(long from, int most, Duration wait) throws InterruptedException {
        long left = wait.toNanos();
        lock.lockInterruptibly();
        try {
            while (from == next && left > 0) {
                left = added.awaitNanos(left);
            }
            return page(from, most);
        } finally {
            lock.unlock();
        }
    }

    private LogPage page(long from, int most) {
        if (from == next) {
            return new LogPage(List.of(), 0, next);
        }
        long oldest = lines.getFirst().seq();
        long start = from > next ? oldest : Math.max(from, oldest);
        long dropped = from > next ? 0 : start - Math.max(from, 1);
        List<LogLine> page = new ArrayList<>();
        for (LogLine line : lines) {
            if (line.seq() >= start && page.size() < most) {
                page.add(line);
            }
        }
        return new LogPage(page, dropped, start + page.size());
    }

    private static int size(LogLine line) {
        return LINE_OVERHEAD + 2 * line.text().length();
    }
}

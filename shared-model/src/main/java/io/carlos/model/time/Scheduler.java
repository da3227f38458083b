package io.carlos.model.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Lock;

/**
 * Time, threads and locks, as the code that must be right under every interleaving sees them. {@link SystemScheduler}
 * is the machine's; the deterministic simulation has one in which a seed decides who runs next and time only moves when
 * everybody waits. Code behind this port may block only through it and through the other ports it was given.
 */
public interface Scheduler {
    /** The wall clock; it may jump, and differs from box to box. */
    Instant now();

    /** A clock for durations, in nanoseconds from an arbitrary origin; it never goes back. */
    long nanoTime();

    void sleep(Duration duration) throws InterruptedException;

    /**
     * Starts a task on a thread of its own. What the task throws is logged, and ends only that task.
     *
     * @param name shows in thread dumps and in the log
     */
    Task fork(String name, Runnable body);

    /** A mutual exclusion lock with conditions; not necessarily reentrant. */
    Lock newLock();

    /** A started task. */
    interface Task {
        /** Asks the task to end: its next or present wait throws {@link InterruptedException}. */
        void interrupt();

        /** Waits until the task has ended, whichever way. */
        void join() throws InterruptedException;
    }
}

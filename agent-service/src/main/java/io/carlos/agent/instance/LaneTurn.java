package io.carlos.agent.instance;

import io.carlos.model.time.Scheduler;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Has what is done with one instance take turns, and a stop come first. */
final class LaneTurn {
    private static final long HURRY_MILLIS = 200;

    private final Lock lock;
    private final CommandHolds commands = new CommandHolds();
    private final Hurry hurry;

    /** What is done in one's turn. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException, InterruptedException;
    }

    /** Makes what has the turn end sooner, if it can. */
    @FunctionalInterface
    interface Hurry {
        void hurry() throws InterruptedException;
    }

    LaneTurn(Scheduler scheduler, Hurry hurry) {
        this.lock = scheduler.newLock();
        this.hurry = hurry;
    }

    CommandHolds commands() {
        return commands;
    }

    <T> T take(Work<T> work) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #take}, for a stop: commands are told why, and a start that is under way gives up. */
    <T> T takeToStop(String reason, Work<T> work) throws IOException, InterruptedException {
        commands.stopping(reason);
        try {
            while (!lock.tryLock(HURRY_MILLIS, TimeUnit.MILLISECONDS)) {
                // Again and again: what it would end may not have begun when it was tried first.
                hurry.hurry();
            }
            try {
                return work.run();
            } finally {
                lock.unlock();
            }
        } finally {
            commands.stopped();
        }
    }
}

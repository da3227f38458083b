package io.carlos.agent.runs;

import io.carlos.model.time.Scheduler;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Lets so many at a time do something, and the others wait for their turn. */
final class Turns {
    private final Lock lock;
    private final Condition ended;
    private int free;

    Turns(Scheduler scheduler, int most) {
        this.lock = scheduler.newLock();
        this.ended = lock.newCondition();
        this.free = most;
    }

    /** Returns when it is the caller's turn; then {@link #end} must follow. */
    void begin() throws InterruptedException {
        lock.lock();
        try {
            while (free == 0) {
                ended.await();
            }
            free--;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            free++;
            ended.signalAll(); // one that is signalled alone may be interrupted, and then nobody would come
        } finally {
            lock.unlock();
        }
    }
}

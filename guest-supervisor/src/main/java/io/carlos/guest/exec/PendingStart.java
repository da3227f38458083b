package io.carlos.guest.exec;

import io.carlos.model.linux.process.ChildProcess;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A start that is under way, for any thread to give up. Between the fork and the exec a child is the user's already, who
 * may stop it there: whoever waits for a start has to be able to end it.
 */
final class PendingStart {
    private final Consumer<ChildProcess> killer;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean givenUp;
    private Optional<ChildProcess> child = Optional.empty();

    /** @param killer kills what was started, and does not wait for its end */
    PendingStart(Consumer<ChildProcess> killer) {
        this.killer = killer;
    }

    /** Has what was started killed, now or as soon as there is something; nothing happens once it has become a command. */
    void giveUp() {
        lock.lock();
        try {
            givenUp = true;
            child.ifPresent(killer);
        } finally {
            lock.unlock();
        }
    }

    /** There is a child, whose number stays its own until {@link #settle}. */
    void spawned(ChildProcess spawned) {
        lock.lock();
        try {
            child = Optional.of(spawned);
            if (givenUp) {
                killer.accept(spawned);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What came of it is somebody else's to kill from now on. */
    void settle() {
        lock.lock();
        try {
            child = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    void end() {
        settle();
        over.complete(null);
    }

    /** Completed by {@link #end}. */
    CompletableFuture<Void> over() {
        return over;
    }
}

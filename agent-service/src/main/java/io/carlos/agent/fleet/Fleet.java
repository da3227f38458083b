package io.carlos.agent.fleet;

import java.time.Duration;

/** What a box must know of its fleet before it acts. Asked by many threads; never blocks. */
@FunctionalInterface
public interface Fleet {
    /** For a box that shares its store with nobody who would take it for lost. */
    Fleet NONE = () -> true;

    /**
     * Whether this box may act on what it owns: nobody can have taken it for lost, though another agent may have taken its name
     * since its last beat. Asked before every launch and every write for a run: an execution that finds it false waits until it is
     * true, and renews its hold of the run first.
     */
    boolean mayWrite();

    /** Whether somebody has taken it for lost, or a newer agent has its name: this one never acts again. */
    default boolean isRevoked() {
        return false;
    }

    /**
     * Whether another box was lost at the last look. Where boxes are taken over from automatically, what it owned may be taken when
     * it {@linkplain #isStillLost still} is; elsewhere it is only silent, and may go on.
     */
    default boolean isLost(String box) {
        return false;
    }

    /**
     * Whether a box that was lost has not begun anew since. Asks the store.
     *
     * @throws io.carlos.store.StoreException the store failed
     */
    default boolean isStillLost(String box) {
        return isLost(box);
    }

    /**
     * Whether this box's name is still this agent's. Asks the store.
     *
     * @throws io.carlos.store.StoreException the store failed
     */
    default boolean holdsName() {
        return true;
    }

    /** For how much longer this start must go over no records: another of its name may still act on them. */
    default Duration heldBack() {
        return Duration.ZERO;
    }

    /** Begins to show this box and to look at the others; {@link #stop} ends it. */
    default void start() {}

    /** Shows no more signs of life: to be called when this agent acts on nothing any more. */
    default void stop() throws InterruptedException {}
}

package io.carlos.agent.fleet;

/** What a box must know of its fleet before it acts. Asked by many threads; never blocks. */
@FunctionalInterface
public interface Fleet {
    /** For a box that shares its store with nobody who would take it for lost. */
    Fleet NONE = () -> true;

    /**
     * Whether this box may act on what it owns: nobody can have taken it for lost. Asked before every write for a run; while it is
     * false an execution writes nothing, and when it is true again it first renews its hold of the run.
     */
    boolean mayWrite();

    /** Whether somebody has taken it for lost, or a newer agent has its name: this one never acts again. */
    default boolean isRevoked() {
        return false;
    }

    /** Whether another box is lost for good: it may not act any more, and whatever was its own may be taken. */
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

    /** Whether a run's box was lost under this very start of its agent. */
    default boolean isLost(String box, String bootId) {
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

    /** Begins to show this box and to look at the others; {@link #stop} ends it. */
    default void start() {}

    /** Shows no more signs of life: to be called when this agent acts on nothing any more. */
    default void stop() throws InterruptedException {}
}

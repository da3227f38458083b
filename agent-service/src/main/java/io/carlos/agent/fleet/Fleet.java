package io.carlos.agent.fleet;

import io.carlos.agent.runs.WritePermit;

/** What a box must know of its fleet before it acts. Asked by many threads; never blocks. */
public interface Fleet extends WritePermit {
    /** A box that shares its store with nobody who would take it for lost. */
    Fleet NONE = new Fleet() {
        @Override
        public boolean mayWrite() {
            return true;
        }

        @Override
        public boolean isLost(String box) {
            return false;
        }
    };

    /** Begins to show this box and to look at the others; {@link #stop} ends it. */
    default void start() {}

    /** Shows no more signs of life: to be called when this agent acts on nothing any more. */
    default void stop() throws InterruptedException {}

    /** Whether this box may act on what it owns: nobody can have taken it for lost yet. */
    @Override
    boolean mayWrite();

    /** Whether somebody has taken it for lost, or a newer agent has its name: this one never acts again. */
    @Override
    default boolean isRevoked() {
        return false;
    }

    /** Whether another box is lost for good: it may not act any more, and whatever was its own may be taken. */
    boolean isLost(String box);
}

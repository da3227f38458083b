package io.carlos.agent.fleet;

/** What a box must know of its fleet before it acts. Asked by many threads; never blocks. */
public interface Fleet {
    /** A box that shares its store with nobody who would take it for lost. */
    Fleet NONE = new Fleet() {
        @Override
        public boolean isFresh() {
            return true;
        }

        @Override
        public boolean isSuperseded() {
            return false;
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
    boolean isFresh();

    /** Whether a newer agent has started under this box's name: this one is never fresh again. */
    boolean isSuperseded();

    /** Whether another box must be taken for lost. */
    boolean isLost(String box);
}

package io.carlos.store;

/** A store that can tell of a change at once, so that nobody has to ask it every few milliseconds. */
public interface WatchableStore extends ObjectStore {
    /**
     * Has {@code changed} called soon after each write or removal of the key that begins after this method has returned,
     * whichever process makes it.
     *
     * <p>It is a hint to look, not a record of what happened: there may be one call for many changes, and calls without
     * any. A writer that is killed right after its write may leave nobody told, so whoever must not miss a change looks
     * now and then without a hint as well.
     *
     * @param changed called on a thread of the store's or of the writer's, so it must return promptly and not call the store;
     *     what it throws is logged
     * @throws StoreUnavailableException the system has no watch to give; the store works without
     */
    Watch watch(ObjectKey key, Runnable changed);

    /** A running watch. Once it is closed no call begins; one that has begun may still be under way. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}

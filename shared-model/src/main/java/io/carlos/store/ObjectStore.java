package io.carlos.store;

import java.util.List;
import java.util.Optional;

/**
 * A flat map of keys to values of at most {@link #MAX_VALUE_BYTES}, shared by every box and operator; the only coordination there is.
 *
 * <p>A read sees the newest completed write. Calls block and are meant for virtual threads; implementations may be called from any number of
 * them. Nothing here retries: a caller that wants another attempt decides on it, since only the caller can tell its own write from another's.
 *
 * <p>Every method may throw {@link StoreUnavailableException}: the store was not reached, or refused for a reason of its own; for a write it
 * means that nothing was written.
 */
public interface ObjectStore {
    int MAX_VALUE_BYTES = 16 * 1024 * 1024;

    /** The newest value, or empty when there is none. */
    Optional<StoredObject> get(ObjectKey key);

    /**
     * The value unless its etag is still {@code knownEtag}: one cheap request when nothing has changed.
     *
     * @param knownEtag the etag of an earlier read or write of this key
     */
    ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag);

    /**
     * Writes the whole value.
     *
     * @return the etag of what was written
     * @throws CasConflictException the precondition did not hold, and nothing was written; also for {@link Precondition.IfMatch} on an absent
     *     key
     * @throws AmbiguousWriteException it is not known whether the value was written; read again and decide
     * @throws IllegalArgumentException the value is over {@link #MAX_VALUE_BYTES}; nothing was sent
     */
    String put(ObjectKey key, byte[] value, Precondition precondition);

    /**
     * Removes the value; a success when there is none.
     *
     * @throws AmbiguousWriteException it is not known whether the value was removed
     */
    void delete(ObjectKey key);

    /**
     * The objects whose keys begin with {@code prefix}, in byte order of keys. A key whose put completed before this call is among them.
     *
     * @param prefix any beginning of a key, cut anywhere; empty for all, and nothing is found under one that begins no
     *     key
     * @param startAfter only keys after this text, itself excluded; it needs neither exist nor be a key, and empty means
     *     from the beginning
     * @param limit at most so many, 1 to {@link #MAX_LIST_LIMIT}; fewer means that there are no more
     * @throws IllegalArgumentException the limit is out of bounds; nothing was asked
     */
    List<ListedObject> list(String prefix, String startAfter, int limit);

    int MAX_LIST_LIMIT = 1000;
}

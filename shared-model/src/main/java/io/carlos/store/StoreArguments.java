package io.carlos.store;

/** The checks that every {@link ObjectStore} makes before it does anything, so that all of them refuse the same. */
public final class StoreArguments {
    private StoreArguments() {}

    /** @throws IllegalArgumentException the value is over {@link ObjectStore#MAX_VALUE_BYTES} */
    public static void checkValue(ObjectKey key, byte[] value) {
        if (value.length > ObjectStore.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("put " + key + ": the value has " + value.length
                    + " bytes, expected at most " + ObjectStore.MAX_VALUE_BYTES);
        }
    }

    /** @throws IllegalArgumentException the limit is not within 1 and {@link ObjectStore#MAX_LIST_LIMIT} */
    public static void checkLimit(int limit) {
        if (limit < 1 || limit > ObjectStore.MAX_LIST_LIMIT) {
            throw new IllegalArgumentException(
                    "list: the limit is " + limit + ", expected 1 to " + ObjectStore.MAX_LIST_LIMIT);
        }
    }
}

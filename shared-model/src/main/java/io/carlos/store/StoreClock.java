package io.carlos.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one clock that every box and every reader shares: the store's, read off an object that was written just now. For
 * decisions that a wrong clock of one machine must not make for all; it costs three requests.
 */
public final class StoreClock {
    private static final Logger log = LoggerFactory.getLogger(StoreClock.class);
    private static final String PREFIX = "clock/";

    private final ObjectStore store;
    private final Supplier<String> tokens;

    /** @param tokens gives another text each time, of characters of a key */
    public StoreClock(ObjectStore store, Supplier<String> tokens) {
        this.store = store;
        this.tokens = tokens;
    }

    /**
     * A time between the present one and that of the call, or up to a second earlier: S3 tells whole seconds.
     *
     * @throws StoreException the store failed; the object may have been left behind
     */
    public Instant read() {
        String token = tokens.get();
        ObjectKey key = ObjectKey.of(PREFIX + token);
        try {
            store.put(key, token.getBytes(StandardCharsets.US_ASCII), Precondition.NONE);
            return store.get(key)
                    .orElseThrow(() -> new StoreUnavailableException("get " + key + ": it was written just now", null))
                    .lastModified();
        } finally {
            delete(key);
        }
    }

    private void delete(ObjectKey key) {
        try {
            store.delete(key);
        } catch (StoreException e) {
            log.warn("clock: not removed, and in nobody's way: key={} cause={}", key, e.getMessage());
        }
    }
}

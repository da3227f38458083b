package io.carlos.store;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys of one preflight, under a prefix that nobody else uses; closing removes what is under them. */
final class Scratch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Scratch.class);

    private final ObjectStore store;
    private final String prefix = "preflight/" + token() + "/";
    /** Noted by name, since a store that lists wrongly must be cleaned up too. */
    private final Set<ObjectKey> used = new ConcurrentSkipListSet<>();

    Scratch(ObjectStore store) {
        this.store = store;
    }

    String prefix() {
        return prefix;
    }

    ObjectKey key(String rest) {
        ObjectKey key = ObjectKey.of(prefix + rest);
        used.add(key);
        return key;
    }

    /** A text that no other call gives: equal values would have equal etags. */
    static String token() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    /** A value unlike any other. */
    static byte[] value() {
        return token().getBytes(StandardCharsets.US_ASCII);
    }

    Optional<String> text(ObjectKey key) {
        return store.get(key).map(object -> new String(object.value(), StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        for (ObjectKey key : used) {
            try {
                store.delete(key);
            } catch (StoreException e) {
                log.warn("preflight: {}: could not be removed, remove it by hand", key, e);
            }
        }
    }
}

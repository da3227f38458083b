package io.carlos.store.directory;

import io.carlos.model.text.Sha256Hex;
import io.carlos.store.ObjectKey;

/** How keys are spread over locks and change files. */
final class KeyHash {
    private KeyHash() {}

    /** The first hexadecimal digits of a key's SHA-256; processes of any version must agree on it. */
    static String bucket(ObjectKey key, int digits) {
        return Sha256Hex.of(key.bytes()).substring(0, digits);
    }
}

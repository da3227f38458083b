package io.carlos.store.directory;

import io.carlos.store.ObjectKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of values, which are their etags, and of keys, which spread them over locks and change files. */
final class Sha256 {
    private Sha256() {}

    /** As {@code sha256sum} prints it. */
    static String hex(byte[] content) {
        return HexFormat.of().formatHex(digest(content));
    }

    /** The first hexadecimal digits of a key's hash; processes of any version must agree on it. */
    static String bucket(ObjectKey key, int digits) {
        return HexFormat.of().formatHex(digest(key.bytes())).substring(0, digits);
    }

    private static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}

package io.carlos.model.text;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 as {@code sha256sum} prints it: 64 lower-case hexadecimal digits. */
public final class Sha256Hex {
    private Sha256Hex() {}

    public static String of(byte[] content) {
        return HexFormat.of().formatHex(start().digest(content));
    }

    /** A digest for content that comes in pieces; {@link #end} makes the text of it. */
    public static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    public static String end(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }
}

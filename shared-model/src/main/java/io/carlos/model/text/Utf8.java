package io.carlos.model.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** UTF-8 without the JDK's leniency: what has no exact form on the other side is not replaced but refused. */
public final class Utf8 {
    private Utf8() {}

    /** Whether the text has UTF-8 at all: half a surrogate pair has none. */
    public static boolean isEncodable(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isHighSurrogate(text.charAt(i))) {
                i++;
                if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
                    return false;
                }
            } else if (Character.isLowSurrogate(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** The text of these bytes, or null when they are not well-formed UTF-8. */
    public static @Nullable String decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        // Well-formed UTF-8 is the only encoding of its text, so whatever a lenient decoder lets pass differs on the
        // way back.
        boolean exact = isEncodable(text) && Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
        return exact ? text : null;
    }
}

package io.carlos.model.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts as the C library takes them. */
public final class CString {
    private CString() {}

    /**
     * The text's UTF-8 and a NUL that ends it.
     *
     * @throws IllegalArgumentException when the text holds a NUL, which would end it early
     */
    public static byte[] of(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a name holds a NUL");
        }
        byte[] utf8 = bytes(text);
        return Arrays.copyOf(utf8, utf8.length + 1);
    }

    /** The text's UTF-8. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

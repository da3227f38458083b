package io.carlos.model.names;

import io.carlos.model.text.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * How systemd writes any text as a unit's instance name (systemd.unit(5), "String escaping for inclusion in unit names"),
 * over its UTF-8 bytes: {@code /} becomes {@code -}, a leading {@code .} and every byte outside {@code [a-zA-Z0-9:_.]}
 * become {@code \x} and two lower-case hex digits, the rest stays.
 */
public final class SystemdEscape {
    private static final String HEX_DIGITS = "0123456789abcdef";

    private SystemdEscape() {}

    /** @throws InvalidNameException when the text holds half a surrogate pair, which has no UTF-8 */
    public static String escape(String text) {
        if (!Utf8.isEncodable(text)) {
            throw new InvalidNameException("text for a unit name", text, "it holds half a surrogate pair");
        }
        return escapeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The text that {@link #escape} makes this of.
     *
     * @throws InvalidNameException when there is none: a malformed or needless escape, a byte that must be escaped, or
     *     bytes that are not UTF-8
     */
    public static String unescape(String escaped) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int next = 0;
        while (next < escaped.length()) {
            char c = escaped.charAt(next);
            if (c == '\\') {
                bytes.write(hexPair(escaped, next));
                next += 4;
            } else {
                bytes.write(c == '-' ? '/' : c);
                next++;
            }
        }
        String text = new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        // Decoding is lenient, on purpose: whatever is not exactly what escape() writes does not survive the way back.
        if (!escapeBytes(text.getBytes(StandardCharsets.UTF_8)).equals(escaped)) {
            throw notEscaped(escaped, "systemd would have escaped its text differently");
        }
        return text;
    }

    private static String escapeBytes(byte[] bytes) {
        StringBuilder escaped = new StringBuilder(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int b = bytes[i] & 0xff;
            if (b == '/') {
                escaped.append('-');
            } else if (isPlain(b) && !(b == '.' && i == 0)) {
                escaped.append((char) b);
            } else {
                escaped.append("\\x").append(HEX_DIGITS.charAt(b >> 4)).append(HEX_DIGITS.charAt(b & 0xf));
            }
        }
        return escaped.toString();
    }

    private static boolean isPlain(int b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == ':'
                || b == '_'
                || b == '.';
    }

    private static int hexPair(String escaped, int backslash) {
        if (backslash + 4 > escaped.length() || escaped.charAt(backslash + 1) != 'x') {
            throw notEscaped(escaped, "a backslash is not followed by x and two hex digits");
        }
        int high = HEX_DIGITS.indexOf(escaped.charAt(backslash + 2));
        int low = HEX_DIGITS.indexOf(escaped.charAt(backslash + 3));
        if (high < 0 || low < 0) {
            throw notEscaped(escaped, "a backslash is not followed by x and two lower-case hex digits");
        }
        return high << 4 | low;
    }

    private static InvalidNameException notEscaped(String escaped, String rule) {
        return new InvalidNameException("an escaped unit instance name", escaped, rule);
    }
}

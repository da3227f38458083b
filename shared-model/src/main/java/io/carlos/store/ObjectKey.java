package io.carlos.store;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The name of one object: segments of {@code [A-Za-z0-9._-]} joined by {@code /}, none of them empty, {@code .} or {@code ..} and none over
 * 255 bytes; 1024 bytes in all, which is what S3 takes. A value of this type has been checked, so no implementation sees another.
 */
public record ObjectKey(String value) implements Comparable<ObjectKey> {
    public static final int MAX_BYTES = 1024;
    public static final int MAX_SEGMENT_BYTES = 255;

    /** @throws InvalidKeyException when the text is no key; the message names the rule */
    public ObjectKey {
        String problem = problem(value);
        if (problem != null) {
            throw new InvalidKeyException(value, problem);
        }
    }

    public static ObjectKey of(String value) {
        return new ObjectKey(value);
    }

    /** Whether the text is a key. */
    public static boolean isKey(String text) {
        return problem(text) == null;
    }

    /**
     * The text, which may stand between two slashes of a key.
     *
     * @throws InvalidKeyException when it may not; the message names the rule
     */
    public static String segment(String text) {
        String problem = segmentProblem(text);
        if (problem != null) {
            throw new InvalidKeyException(text, problem);
        }
        return text;
    }

    private static @Nullable String problem(String value) {
        if (value.isEmpty()) {
            return "it is empty";
        }
        int start = 0;
        while (start <= value.length()) {
            int slash = value.indexOf('/', start);
            int end = slash < 0 ? value.length() : slash;
            String problem = segmentProblem(value.substring(start, end));
            if (problem != null) {
                return problem;
            }
            start = end + 1;
        }
        // Every character is ASCII by now, so characters are bytes.
        return value.length() > MAX_BYTES ? "it is over " + MAX_BYTES + " bytes" : null;
    }

    private static @Nullable String segmentProblem(String segment) {
        if (segment.isEmpty()) {
            return "a segment is empty";
        }
        if (segment.equals(".") || segment.equals("..")) {
            return "the segment " + segment + " is not a name";
        }
        for (int i = 0; i < segment.length(); i++) {
            if (!isKeyCharacter(segment.charAt(i))) {
                return "only letters, digits, '.', '_' and '-' may stand in a segment";
            }
        }
        return segment.length() > MAX_SEGMENT_BYTES ? "a segment is over " + MAX_SEGMENT_BYTES + " bytes" : null;
    }

    /** Whether a character may stand in a segment. */
    public static boolean isKeyCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }

    /** The order of a listing: by bytes, which for these characters is the order of the text. */
    @Override
    public int compareTo(ObjectKey other) {
        return value.compareTo(other.value);
    }

    public byte[] bytes() {
        return value.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return value;
    }
}

package io.carlos.model.names;

import io.carlos.model.text.Utf8;
import java.nio.charset.StandardCharsets;

/**
 * The plain name of a run's input file: 1 to 128 bytes of UTF-8 without {@code /} and control characters, the first
 * neither {@code -}, which a command would take for an option, nor {@code .}, which hides it and leads out of its
 * directory.
 */
public record InputFileName(String value) {
    public static final int MAX_BYTES = 128;

    private static final String KIND = "an input file name";

    /** @throws InvalidNameException when the text is no such name */
    public InputFileName {
        if (value.isEmpty()) {
            throw new InvalidNameException(KIND, value, "it is empty");
        }
        if (value.startsWith("-") || value.startsWith(".")) {
            throw new InvalidNameException(KIND, value, "it starts with - or .");
        }
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '/' || Character.isISOControl(value.charAt(i))) {
                throw new InvalidNameException(KIND, value, "it holds a / or a control character");
            }
        }
        if (!Utf8.isEncodable(value)) {
            throw new InvalidNameException(KIND, value, "it holds half a surrogate pair, which has no UTF-8");
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw new InvalidNameException(KIND, value, "it is over " + MAX_BYTES + " bytes of UTF-8");
        }
    }

    public static InputFileName of(String value) {
        return new InputFileName(value);
    }

    @Override
    public String toString() {
        return value;
    }
}

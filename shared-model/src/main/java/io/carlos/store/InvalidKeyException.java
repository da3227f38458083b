package io.carlos.store;

/** A text that is no {@link ObjectKey}. */
public final class InvalidKeyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidKeyException(String key, String reason) {
        super("not an object key: \"" + shown(key) + "\": " + reason);
    }

    /** A key can be anything here, so what a terminal would obey is not repeated. */
    private static String shown(String key) {
        StringBuilder shown = new StringBuilder();
        key.codePoints().limit(200).forEach(c -> {
            if (c >= ' ' && c < 0x7f) {
                shown.append((char) c);
            } else {
                shown.append(String.format("\\u%04x", c));
            }
        });
        return shown.toString();
    }
}

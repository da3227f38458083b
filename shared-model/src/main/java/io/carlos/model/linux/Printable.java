package io.carlos.model.linux;

/** Names come from strangers: what a terminal or a log would obey is shown as a question mark. */
public final class Printable {
    private static final int MAX_LENGTH = 1_000;

    private Printable() {}

    public static String of(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(MAX_LENGTH)
                .map(c -> Character.isISOControl(c) || !Character.isDefined(c) || isSurrogate(c) ? '?' : c)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}

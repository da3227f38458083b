package io.carlos.model.linux;

/** Names come from strangers: what a terminal or a log would obey is shown as a question mark. */
public final class Printable {
    private static final int MAX_LENGTH = 1_000;
    private static final int MAX_LENGTH_OF_NAME = 100;

    private Printable() {}

    public static String of(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(MAX_LENGTH)
                .map(c -> Character.isISOControl(c) || !Character.isDefined(c) || isSurrogate(c) ? '?' : c)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }

    /** As {@link #of}, and no longer than a name in the midst of a sentence may be; three dots stand for the rest. */
    public static String shortened(String text) {
        String shown = of(text);
        return shown.codePointCount(0, shown.length()) <= MAX_LENGTH_OF_NAME
                ? shown
                : shown.substring(0, shown.offsetByCodePoints(0, MAX_LENGTH_OF_NAME)) + "...";
    }

    private static boolean isSurrogate(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}

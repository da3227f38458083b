package io.carlos.cli.console;

/** Text from elsewhere made fit to be shown: what a terminal would obey is spelled out, so that it fits one line and moves nothing. */
public final class Printable {
    private Printable() {}

    public static String of(String text) {
        if (text.chars().noneMatch(Printable::unfit)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.chars().forEach(c -> {
            switch (c) {
                case '\n' -> shown.append("\\n");
                case '\r' -> shown.append("\\r");
                case '\t' -> shown.append("\\t");
                default -> {
                    if (unfit(c)) {
                        shown.append(String.format("\\u%04x", c));
                    } else {
                        shown.append((char) c);
                    }
                }
            }
        });
        return shown.toString();
    }

    /** Control characters, and the marks that turn the direction of writing round. */
    private static boolean unfit(int c) {
        return Character.isISOControl(c)
                || c == 0x2028
                || c == 0x2029
                || (c >= 0x202a && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}

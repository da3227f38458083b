package io.carlos.model.names;

/** A text that is not the kind of name it was taken for; the message names the text, the kind and the rule. */
public final class InvalidNameException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidNameException(String kind, String text, String rule) {
        super("not " + kind + ": \"" + shown(text) + "\": " + rule);
    }

    /** The text can be anything, so what a terminal would obey is not repeated, and no more than a line of it. */
    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < 200; i++) {
            char c = text.charAt(i);
            shown.append(Character.isISOControl(c) ? '?' : c);
        }
        return shown.toString();
    }
}

package io.carlos.cli.completion;

/** Texts as words of shell scripts. */
final class Quote {
    private Quote() {}

    /** For bash and zsh: everything stands for itself in single quotes, but a single quote. */
    static String single(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** For fish, where a backslash escapes in single quotes too. */
    static String fish(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}

package io.carlos.cli.argv;

/** The options that every command has, as far as they were seen. */
final class GlobalOptions {
    private boolean help;
    private boolean verbose;

    /** Whether the word is such an option, which is then remembered. */
    boolean take(String word) {
        switch (word) {
            case "--help", "-h" -> help = true;
            case "--verbose" -> verbose = true;
            default -> {
                return false;
            }
        }
        return true;
    }

    boolean help() {
        return help;
    }

    boolean verbose() {
        return verbose;
    }
}

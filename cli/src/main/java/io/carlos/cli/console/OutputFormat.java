package io.carlos.cli.console;

/** The choices of {@code --output}. */
public enum OutputFormat {
    /** For people. */
    TABLE,
    /** For programs. */
    JSON
}

package io.carlos.cli.console;

/** The three streams a process is started with. */
public enum StandardStream {
    IN("stdin"),
    OUT("stdout"),
    ERR("stderr");

    private final String label;

    StandardStream(String label) {
        this.label = label;
    }

    /** The file descriptor. */
    public int descriptor() {
        return ordinal();
    }

    @Override
    public String toString() {
        return label;
    }
}

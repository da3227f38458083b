package io.carlos.model.exec;

/** How many characters a terminal shows. Rows and columns are from 1 to 9999. */
public record TerminalSize(int rows, int columns) {
    private static final int MAX = 9999;

    public TerminalSize {
        check("rows", rows);
        check("columns", columns);
    }

    private static void check(String what, int number) {
        if (number < 1 || number > MAX) {
            throw new IllegalArgumentException("a terminal of " + number + " " + what + ": expected 1 to " + MAX);
        }
    }
}

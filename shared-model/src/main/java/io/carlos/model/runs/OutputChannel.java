package io.carlos.model.runs;

/** The two output streams of a command. */
public enum OutputChannel {
    STDOUT('o'),
    STDERR('e');

    private final char letter;

    OutputChannel(char letter) {
        this.letter = letter;
    }

    /** The last letter of a chunk's key. */
    public char letter() {
        return letter;
    }
}

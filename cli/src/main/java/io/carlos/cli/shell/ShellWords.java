package io.carlos.cli.shell;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a line into words as a POSIX shell does, without its expansions: blanks separate, single quotes keep everything, double quotes keep
 * everything but a backslash before {@code $ ` " \}, and a backslash outside of quotes keeps the next character.
 */
final class ShellWords {
    private static final String ESCAPABLE_IN_QUOTES = "$`\"\\";

    private final String line;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int position;

    private ShellWords(String line) {
        this.line = line;
    }

    /** @throws IllegalArgumentException when a quote is not closed, or nothing follows a backslash */
    static List<String> split(String line) {
        return new ShellWords(line).split();
    }

    private List<String> split() {
        while (position < line.length()) {
            char c = line.charAt(position++);
            switch (c) {
                case ' ', '\t', '\n' -> endWord();
                case '\'' -> readQuoted('\'');
                case '"' -> readQuoted('"');
                case '\\' -> append(next("a character must follow the backslash"));
                default -> append(c);
            }
        }
        endWord();
        return List.copyOf(words);
    }

    private void readQuoted(char quote) {
        inWord = true;
        String unclosed = "the quote " + quote + " is not closed";
        for (char c = next(unclosed); c != quote; c = next(unclosed)) {
            boolean escapes = c == '\\'
                    && quote == '"'
                    && position < line.length()
                    && ESCAPABLE_IN_QUOTES.indexOf(line.charAt(position)) >= 0;
            append(escapes ? next(unclosed) : c);
        }
    }

    private char next(String otherwise) {
        if (position == line.length()) {
            throw new IllegalArgumentException(otherwise);
        }
        return line.charAt(position++);
    }

    private void append(char c) {
        inWord = true;
        word.append(c);
    }

    private void endWord() {
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
    }
}

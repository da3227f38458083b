package io.carlos.cli.command;

import java.util.List;
import java.util.stream.Collectors;

/** A term and what it means, in a list of them. */
public record HelpLine(String term, String meaning) {
    private static final int WIDEST_TERM = 30;

    /** The options that every command has. */
    public static final List<HelpLine> EVERYWHERE = List.of(
            new HelpLine("-h, --help", "Show how the command is used, and do nothing"),
            new HelpLine("    --verbose", "Show warnings as they happen, and the cause of a failure"));

    /** One below the other, the meanings aligned; a very long term has its meaning on the next line. */
    public static String render(List<HelpLine> lines) {
        int width = lines.stream()
                .mapToInt(line -> line.term().length())
                .filter(length -> length <= WIDEST_TERM)
                .max()
                .orElse(WIDEST_TERM);
        return lines.stream().map(line -> line.render(width)).collect(Collectors.joining("\n"));
    }

    private String render(int width) {
        String indented = "  " + term;
        String gap = term.length() <= width ? " ".repeat(width - term.length()) : "\n  " + " ".repeat(width);
        return (indented + gap + "  " + meaning).stripTrailing();
    }
}

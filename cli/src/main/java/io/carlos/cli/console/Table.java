package io.carlos.cli.console;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jline.utils.WCWidth;

/**
 * Rows for people: columns padded with blanks to the width of their widest cell, two blanks between them, a heading above. The same on a
 * terminal and in a pipe but for the colour of the heading, so that what is seen can be grepped.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final String BOLD = "\033[1m";
    private static final String PLAIN = "\033[0m";

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(Column... columns) {
        this.columns = List.of(columns);
    }

    /** A column of texts. */
    public static Column left(String heading) {
        return new Column(heading, false);
    }

    /** A column of numbers. */
    public static Column right(String heading) {
        return new Column(heading, true);
    }

    /** A column's heading, and whether its cells stand at its right edge. */
    public record Column(String heading, boolean right) {}

    /**
     * Adds a row.
     *
     * @param cells one for each column, shown by {@code toString}
     */
    public Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException("row: " + cells.length + " cells for " + columns.size() + " columns");
        }
        rows.add(Stream.of(cells).map(cell -> Printable.of(cell.toString())).toList());
        return this;
    }

    /** The lines, joined by line breaks, without one at the end. */
    public String render(boolean colours) {
        List<String> headings = columns.stream().map(Column::heading).toList();
        int[] widths = IntStream.range(0, columns.size())
                .map(column -> Stream.concat(Stream.of(headings), rows.stream())
                        .mapToInt(row -> width(row.get(column)))
                        .max()
                        .orElse(0))
                .toArray();
        String heading = line(headings, widths);
        return Stream.concat(
                        Stream.of(colours ? BOLD + heading + PLAIN : heading),
                        rows.stream().map(row -> line(row, widths)))
                .reduce((above, below) -> above + "\n" + below)
                .orElseThrow();
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String padding = " ".repeat(widths[i] - width(cells.get(i)));
            line.append(i == 0 ? "" : GAP);
            line.append(columns.get(i).right() ? padding + cells.get(i) : cells.get(i) + padding);
        }
        return line.toString().stripTrailing();
    }

    /** The columns of a terminal that a text takes: two for a wide character, none for a combining one. */
    private static int width(String text) {
        return text.codePoints().map(c -> Math.max(0, WCWidth.wcwidth(c))).sum();
    }
}

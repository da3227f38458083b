package io.carlos.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        Table table = new Table(Table.left("HOST"), Table.right("BYTES"), Table.left("STATE"))
                .row("a-very-long-host", 7, "done")
                .row("b", 123456, "running");

        assertThat(table.render(false)).isEqualTo("""
                        HOST               BYTES  STATE
                        a-very-long-host       7  done
                        b                 123456  running""");
    }

    @Test
    void tableWithoutRowsIsItsHeading() {
        assertThat(new Table(Table.left("HOST"), Table.left("STATE")).render(false))
                .isEqualTo("HOST  STATE");
    }

    @Test
    void headingIsBoldInColour() {
        assertThat(new Table(Table.left("HOST")).row("a").render(true)).isEqualTo("\033[1mHOST\033[0m\na");
    }

    @Test
    void wideAndCombiningCharactersKeepTheColumnsAligned() {
        Table table = new Table(Table.left("A"), Table.left("B"))
                .row("日本", "x")
                .row("e\u0301e", "y")
                .row("abcd", "z");

        assertThat(table.render(false)).isEqualTo("A     B\n日本  x\ne\u0301e    y\nabcd  z");
    }

    @Test
    void cellCannotMoveTheCursorOrAddARow() {
        assertThat(new Table(Table.left("A")).row("x\033[2J\ny").render(false)).isEqualTo("A\nx\\u001b[2J\\ny");
    }

    @Test
    void rowOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> new Table(Table.left("A")).row("x", "y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("row: 2 cells for 1 columns");
    }
}

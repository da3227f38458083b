package io.carlos.agent.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineSplitterTest {
    private final List<String> lines = new ArrayList<>();
    private final LineSplitter splitter =
            new LineSplitter((text, continues) -> lines.add(text + (continues ? "+" : "")));

    private void write(byte[] bytes) {
        splitter.write(bytes, 0, bytes.length);
    }

    private void write(String text) {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void lines_in_one_piece_come_apart() {
        write("a\nb\n");

        assertThat(lines).containsExactly("a", "b");
    }

    @Test
    void a_line_in_pieces_comes_together() {
        write("he");
        write("llo");
        assertThat(lines).isEmpty();
        write("\n");

        assertThat(lines).containsExactly("hello");
    }

    @Test
    void an_empty_line_is_a_line() {
        write("\n\n");

        assertThat(lines).containsExactly("", "");
    }

    @Test
    void what_has_no_line_end_is_given_at_the_end() {
        write("a\nrest");
        splitter.end();
        splitter.end();

        assertThat(lines).containsExactly("a", "rest");
    }

    @Test
    void nothing_is_no_line() {
        write("");
        splitter.end();

        assertThat(lines).isEmpty();
    }

    @Test
    void only_the_range_given_is_read() {
        splitter.write("xxa\nyy".getBytes(StandardCharsets.UTF_8), 2, 2);
        splitter.end();

        assertThat(lines).containsExactly("a");
    }

    @Test
    void bytes_that_are_no_utf8_are_replaced() {
        write(new byte[] {'a', (byte) 0xff, 'b', '\n'});

        assertThat(lines).containsExactly("a\ufffdb");
    }

    @Test
    void a_line_of_just_the_longest_length_is_whole() {
        write("x".repeat(LineSplitter.MAX_LINE_BYTES) + "\n");

        assertThat(lines).containsExactly("x".repeat(LineSplitter.MAX_LINE_BYTES));
    }

    @Test
    void a_longer_line_is_split_and_marked() {
        write("x".repeat(LineSplitter.MAX_LINE_BYTES) + "yz\nnext\n");

        assertThat(lines).containsExactly("x".repeat(LineSplitter.MAX_LINE_BYTES) + "+", "yz", "next");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00e9", "\u20ac", "\ud83d\ude00"})
    void a_long_line_is_not_split_inside_of_a_character(String character) {
        String text = "x" + character.repeat(LineSplitter.MAX_LINE_BYTES);
        write(text + "\n");

        assertThat(String.join("", lines).replace("+", "")).isEqualTo(text);
        assertThat(lines).hasSizeGreaterThan(1);
    }

    @Test
    void a_long_line_of_continuation_bytes_is_split_all_the_same() {
        byte[] bytes = new byte[3 * LineSplitter.MAX_LINE_BYTES];
        Arrays.fill(bytes, (byte) 0x80);
        write(bytes);
        splitter.end();

        assertThat(lines).hasSize(3);
    }

    @Test
    void pieces_of_any_size_give_the_same_lines() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] bytes = new byte[100_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(10_000) == 0 ? '\n' : random.nextInt(256) | 0x40);
        }
        write(bytes);
        splitter.end();
        List<String> whole = List.copyOf(lines);
        lines.clear();
        for (int at = 0; at < bytes.length; ) {
            int count = Math.min(bytes.length - at, random.nextInt(9_000));
            splitter.write(bytes, at, count);
            at += count;
        }
        splitter.end();

        assertThat(lines).as("seed %d", seed).isEqualTo(whole);
    }
}

package io.carlos.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShellWordsTest {
    @Test
    void blanksSeparateWords() {
        assertThat(ShellWords.split("  a \t b\\ c  ")).containsExactly("a", "b c");
    }

    @Test
    void lineOfBlanksHasNoWords() {
        assertThat(ShellWords.split(" \t ")).isEmpty();
    }

    @Test
    void emptyQuotesAreAnEmptyWord() {
        assertThat(ShellWords.split("'' a \"\"")).containsExactly("", "a", "");
    }

    @Test
    void quotesJoinWithWhatStandsBesideThem() {
        assertThat(ShellWords.split("--app='my app'\"s\"x")).containsExactly("--app=my appsx");
    }

    @Test
    void nothingIsExpanded() {
        assertThat(ShellWords.split("$HOME ~ *.txt `x` !1 #c"))
                .containsExactly("$HOME", "~", "*.txt", "`x`", "!1", "#c");
    }

    @Test
    void unclosedQuoteIsRefused() {
        assertThatThrownBy(() -> ShellWords.split("a 'b")).hasMessage("the quote ' is not closed");
        assertThatThrownBy(() -> ShellWords.split("a \"b\\\"")).hasMessage("the quote \" is not closed");
    }

    @Test
    void backslashAtTheEndIsRefused() {
        assertThatThrownBy(() -> ShellWords.split("a\\")).hasMessage("a character must follow the backslash");
    }

    @Test
    void wordsAreThoseOfARealShell() throws Exception {
        Seeds.forEach(100, random -> {
            String line = random.ints(random.nextInt(30), 0, 8)
                    .mapToObj(i -> "ab '\"\\ c".substring(i, i + 1))
                    .collect(Collectors.joining());
            List<String> words;
            try {
                words = ShellWords.split(line);
            } catch (IllegalArgumentException _) {
                return; // What is unfinished here a shell would go on reading.
            }
            assertThat(words).as("%s", line).isEqualTo(wordsOfAShell(line));
        });
    }

    private static List<String> wordsOfAShell(String line) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "for word in " + line + "\ndo printf '%s\\n' \"$word\"; done")
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        return Stream.of(output.split("\n", -1))
                .limit(output.chars().filter(c -> c == '\n').count())
                .toList();
    }
}

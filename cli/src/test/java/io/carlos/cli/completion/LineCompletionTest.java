package io.carlos.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.SampleCommands;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractListAssert;
import org.assertj.core.api.ObjectAssert;
import org.junit.jupiter.api.Test;

class LineCompletionTest {
    private final LineCompletion completion = new LineCompletion(new CommandTree(new SampleCommands().registry()));

    @Test
    void firstWordIsACommand() {
        assertWords("").containsExactly("run", "runs", "vm");
    }

    @Test
    void nextWordGoesOnWithTheName() {
        assertWords("runs ").containsExactly("list", "ls", "show");
    }

    @Test
    void dashIsForTheOptionsOfTheCommand() {
        assertWords("runs list -").containsExactly("--app", "--limit", "--help", "--verbose");
        assertWords("--").containsExactly("--help", "--verbose", "--version");
    }

    @Test
    void optionWithChoicesIsFollowedByThem() {
        assertWords("run --output ").containsExactly("table", "json");
        assertWords("run --output=j").containsExactly("--output=table", "--output=json");
    }

    @Test
    void optionForAFileIsFollowedByFiles() {
        assertThat(complete("run --file ")).isEqualTo(Completion.FILES);
    }

    @Test
    void optionForAnyTextIsFollowedByNothing() {
        assertWords("run -H ").isEmpty();
        assertWords("run --host -").isEmpty();
    }

    @Test
    void valueOfAnOptionIsNoPartOfTheName() {
        assertWords("--verbose runs ").containsExactly("list", "ls", "show");
        assertWords("run --host runs ").isEmpty();
    }

    @Test
    void wordsForOthersMayBeFiles() {
        assertThat(complete("run -d -- ls ")).isEqualTo(Completion.FILES);
    }

    @Test
    void nothingFollowsAWordThatIsNoCommand() {
        assertWords("nope ").isEmpty();
        assertWords("nope runs ").isEmpty();
    }

    /** The words before the last one are whole. */
    private Completion complete(String line) {
        List<String> words = Stream.of(line.split(" ", -1)).toList();
        return completion.complete(words.subList(0, words.size() - 1), words.getLast());
    }

    private AbstractListAssert<?, List<? extends String>, String, ObjectAssert<String>> assertWords(String line) {
        return assertThat(((Completion.Words) complete(line)).choices()).extracting(Completion.Choice::word);
    }
}

package io.carlos.cli.argv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
    @ParameterizedTest
    @CsvSource({"runs,runs,0", "rusn,runs,1", "run,runs,1", "rruns,runs,1", "rans,runs,1", "'',runs,4", "abc,cab,2"})
    void editsAreCounted(String from, String to, int edits) {
        assertThat(Suggestion.edits(from, to)).isEqualTo(edits);
        assertThat(Suggestion.edits(to, from)).isEqualTo(edits);
    }

    @Test
    void nearestKnownWordIsSuggested() {
        assertThat(Suggestion.of("insances", List.of("logs", "instances", "instance")))
                .isEqualTo(" (did you mean \"instances\"?)");
    }

    @Test
    void nothingIsSuggestedForAWordUnlikeAll() {
        assertThat(Suggestion.of("deploy", List.of("logs", "instances"))).isEmpty();
    }

    @Test
    void shortWordIsNotSuggestedForAWordThatSharesNoLetter() {
        assertThat(Suggestion.of("xy", List.of("vm"))).isEmpty();
    }
}

package io.carlos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectKeyTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "records/acme/web/www.example.com.json", "..a", "...", "-", "a/.b", "AZaz09._-"})
    void aKeyOfTheAlphabetIsTaken(String key) {
        assertThat(ObjectKey.of(key).value()).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/../b", "./a", "a/.", "a b", "a=", "a\\b",
                "a\0b", "a\nb", "ä", "a%2e", "~", "a:b", "\ud800"
            })
    void aTextOutsideOfTheAlphabetIsRefused(String text) {
        assertThatThrownBy(() -> ObjectKey.of(text)).isInstanceOf(InvalidKeyException.class);
    }

    @Test
    void aSegmentOf255BytesIsTakenAndOneMoreIsRefused() {
        assertThat(ObjectKey.of("x/" + "s".repeat(255)).bytes()).hasSize(257);
        assertThatThrownBy(() -> ObjectKey.of("x/" + "s".repeat(256) + "/y"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("255");
    }

    @Test
    void aKeyOf1024BytesIsTakenAndOneMoreIsRefused() {
        String longest = "s".repeat(255) + "/" + "s".repeat(255) + "/" + "s".repeat(255) + "/" + "s".repeat(254) + "/s";
        assertThat(ObjectKey.of(longest).bytes()).hasSize(1024);
        assertThatThrownBy(() -> ObjectKey.of(longest + "s"))
                .isInstanceOf(InvalidKeyException.class)
                .hasMessageContaining("1024");
    }

    @Test
    void aRefusalShowsNoCharacterThatATerminalObeys() {
        assertThatThrownBy(() -> ObjectKey.of("a\u001b[2J"))
                .hasMessageContaining("a\\u001b[2J")
                .hasMessageNotContaining("\u001b");
    }

    @Test
    void keysAreOrderedByTheirBytes() {
        Stream<String> texts = Stream.of("a0", "a/b", "a", "B", "a.b", "a-b", "a_", "aa", "a/b/c", "a/b-c", "-");
        String[] byBytes = texts.toArray(String[]::new);
        String[] byKeys = Stream.of(byBytes)
                .map(ObjectKey::of)
                .sorted()
                .map(ObjectKey::value)
                .toArray(String[]::new);
        Arrays.sort(
                byBytes,
                (x, y) ->
                        Arrays.compareUnsigned(x.getBytes(StandardCharsets.UTF_8), y.getBytes(StandardCharsets.UTF_8)));
        assertThat(byKeys).containsExactly(byBytes);
    }
}

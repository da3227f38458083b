package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.testing.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SystemdEscapeTest {
    @ParameterizedTest
    @CsvSource({
        "bill.go.tito.io, bill.go.tito.io",
        "bill-2.example.com, bill\\x2d2.example.com",
        "_aaaa-1234abcd, _aaaa\\x2d1234abcd",
        "a/b, a-b",
        ".hidden, \\x2ehidden",
        "x y, x\\x20y",
        "é, \\xc3\\xa9",
        "UPPER_ok:1, UPPER_ok:1",
        "'', ''",
        "a\\b, a\\x5cb",
        "😀, \\xf0\\x9f\\x98\\x80"
    })
    void aTextIsEscapedAndBack(String text, String escaped) {
        assertThat(SystemdEscape.escape(text)).isEqualTo(escaped);
        assertThat(SystemdEscape.unescape(escaped)).isEqualTo(text);
    }

    @Test
    void anyTextIsEscapedAndBack() {
        Seeded.check(5_000, random -> {
            String text = Names.text(random);
            assertThat(SystemdEscape.unescape(SystemdEscape.escape(text))).isEqualTo(text);
        });
    }

    @Test
    void whateverIsUnescapedIsEscapedToTheSame() {
        Seeded.check(20_000, random -> {
            StringBuilder escaped = new StringBuilder();
            for (int length = random.nextInt(4); length >= 0; length--) {
                String[] parts = {
                    "a", ".", "-", "\\x2d", "\\x2e", "\\xc3\\xa9", "\\xc3", "\\x61", "\\x2D", "\\", "x2", "é"
                };
                escaped.append(parts[random.nextInt(parts.length)]);
            }
            try {
                assertThat(SystemdEscape.escape(SystemdEscape.unescape(escaped.toString())))
                        .isEqualTo(escaped.toString());
            } catch (InvalidNameException e) {
                assertThat(e).hasMessageStartingWith("not an escaped unit instance name");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\",
                "\\x",
                "\\x2",
                "a\\",
                "\\n",
                "\\y2d",
                "\\x2D",
                "\\xg0",
                "\\x2g",
                "\\x61",
                "a\\x2e",
                "\\x2f",
                "\\x5f",
                ".hidden",
                "a b",
                "a/b",
                "a@b",
                "é",
                "\u2d2d",
                "\\xff",
                "\\xc3",
                "\\xc0\\x80",
                "\\xed\\xa0\\x80"
            })
    void whatEscapingNeverWritesIsRefused(String escaped) {
        assertThatThrownBy(() -> SystemdEscape.unescape(escaped)).isInstanceOf(InvalidNameException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "a\udc00", "\ud83d\ud83d\ude00", "\ude00\ud83d"})
    void halfASurrogatePairIsRefused(String text) {
        assertThatThrownBy(() -> SystemdEscape.escape(text)).hasMessageContaining("half a surrogate pair");
    }
}

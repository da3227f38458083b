package io.carlos.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void textOfAnyLanguageIsKept() {
        assertThat(Printable.of("grüße 日本 😀 \"'\\")).isEqualTo("grüße 日本 😀 \"'\\");
    }

    @Test
    void controlCharactersAreSpelledOut() {
        assertThat(Printable.of("a\nb\r\tc\033\u0000\u009b\u007f"))
                .isEqualTo("a\\nb\\r\\tc\\u001b\\u0000\\u009b\\u007f");
    }

    @Test
    void marksThatTurnTheDirectionOfWritingAreSpelledOut() {
        assertThat(Printable.of("a\u202eb\u2066c\u2028d")).isEqualTo("a\\u202eb\\u2066c\\u2028d");
    }
}

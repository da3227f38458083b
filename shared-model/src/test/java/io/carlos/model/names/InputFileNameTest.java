package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputFileNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"rows.csv", "a", "a b", "a..", "a-", "~", "*", "é.txt", "\\", "$(x)"})
    void aPlainNameIsTaken(String text) {
        assertThat(InputFileName.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                ".hidden",
                "-rf",
                "-",
                "a/b",
                "/",
                "/etc/passwd",
                "a\0",
                "a\nb",
                "a\tb",
                "\u001b[2J",
                "a\u007f",
                "a\u0085",
                "a\ud800"
            })
    void aNameThatCouldMeanMoreIsRefused(String text) {
        assertThatThrownBy(() -> InputFileName.of(text))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageStartingWith("not an input file name");
    }

    @Test
    void aNameHasAtMost128BytesOfUtf8() {
        assertThat(InputFileName.of("a".repeat(128)).value()).hasSize(128);
        assertThat(InputFileName.of("é".repeat(64)).value()).hasSize(64);
        assertThatThrownBy(() -> InputFileName.of("a".repeat(129))).hasMessageContaining("over 128 bytes");
        assertThatThrownBy(() -> InputFileName.of("a" + "é".repeat(64))).hasMessageContaining("over 128 bytes");
    }
}

package io.carlos.model.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.InvalidNameException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainCodeTest {
    @ParameterizedTest
    @CsvSource({
        "0, NONE",
        "'', NONE",
        "1, EXITED",
        "exited, EXITED",
        "2, KILLED",
        "killed, KILLED",
        "3, DUMPED",
        "dumped, DUMPED"
    })
    void systemdsNumberAndWordMeanTheSame(String text, MainCode code) {
        assertThat(MainCode.of(text)).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4", "-1", "01", "Exited", "exit-code"})
    void anyOtherTextIsRefused(String text) {
        assertThatThrownBy(() -> MainCode.of(text)).isInstanceOf(InvalidNameException.class);
    }
}

package io.carlos.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.console.OutputFormat;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.runs.RunId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueReaderTest {
    private enum Verb {
        START_NOW,
        STOP
    }

    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "90s,PT1M30S", "10m,PT10M", "2h,PT2H", "1d,PT24H", "0s,PT0S"})
    void durationIsANumberAndAUnit(String text, Duration duration) {
        assertThat(read(Duration.class, text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "m", "-1m", "1.5h", "10 m", "10M", "PT10M", "9999999999d"})
    void durationWithoutANumberOrAUnitIsRefused(String text) {
        assertThatThrownBy(() -> read(Duration.class, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + text + "\" is not a number and a unit, such as 250ms, 90s, 10m or 2h");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.0", "99999999999", "0x1", " 1"})
    void numberOutOfRangeOrOfOtherCharactersIsRefused(String text) {
        assertThatThrownBy(() -> read(int.class, text)).hasMessage("\"" + text + "\" is not a whole number");
    }

    @Test
    void enumConstantIsWrittenInLowerCaseWithDashes() {
        assertThat(read(Verb.class, "start-now")).isEqualTo(Verb.START_NOW);
        assertThat(ValueReader.constants(OutputFormat.class)).containsExactly("table", "json");
    }

    @Test
    void otherConstantIsRefusedWithTheChoices() {
        assertThatThrownBy(() -> read(Verb.class, "STOP")).hasMessage("\"STOP\" is not start-now or stop");
    }

    @Test
    void flagIsTrueOrFalse() {
        assertThat(List.of(read(boolean.class, "true"), read(boolean.class, "false")))
                .isEqualTo(List.of(true, false));
        assertThatThrownBy(() -> read(boolean.class, "yes")).hasMessage("\"yes\" is not true or false");
    }

    @Test
    void pathKeepsItsText() {
        assertThat(read(Path.class, "a b/../c,d")).isEqualTo(Path.of("a b/../c,d"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\0b"})
    void textThatNamesNoFileIsRefused(String text) {
        assertThatThrownBy(() -> read(Path.class, text)).hasMessageEndingWith("is not the name of a file");
    }

    @Test
    void typeWithAFactoryMethodRefusesInItsOwnWords() {
        assertThat(read(RunId.class, "run_abcdefghijklmnopqrstuvwxyz"))
                .isEqualTo(RunId.of("run_abcdefghijklmnopqrstuvwxyz"));
        assertThatThrownBy(() -> read(RunId.class, "x")).isInstanceOf(InvalidNameException.class);
    }

    @Test
    void typeThatNoWordCanMakeHasNoReader() {
        assertThat(ValueReader.forType(Thread.class)).isEmpty();
    }

    private static Object read(Class<?> type, String text) {
        return ValueReader.forType(type).orElseThrow().read(text);
    }
}

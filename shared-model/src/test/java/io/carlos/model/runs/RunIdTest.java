package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.InvalidNameException;
import io.carlos.model.testing.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunIdTest {
    @Test
    void aRandomIdHas26CharactersOf32() {
        Seeded.check(500, random -> {
            RunId id = RunId.random(random);
            assertThat(id.value()).matches("run_[a-z2-7]{26}");
            assertThat(RunId.of(id.value())).isEqualTo(id);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run_",
                "run_abcdefghijklmnopqrstuvwxy",
                "run_abcdefghijklmnopqrstuvwxyz2",
                "run_ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                "run_abcdefghijklmnopqrstuvwxy1",
                "run_abcdefghijklmnopqrstuvwxy/",
                "Run_abcdefghijklmnopqrstuvwxyz",
                "ran_abcdefghijklmnopqrstuvwxyz"
            })
    void anyOtherTextIsRefused(String text) {
        assertThatThrownBy(() -> RunId.of(text))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageStartingWith("not a run id");
    }
}

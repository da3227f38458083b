package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.InvalidNameException;
import io.carlos.model.testing.Seeded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
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

    @Test
    void everyCharacterOfTheAlphabetComesAtEveryPlace() {
        List<Set<Character>> seen = new ArrayList<>();
        for (int place = 0; place < 26; place++) {
            seen.add(new HashSet<>());
        }
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            String characters = RunId.random(random).value().substring(4);
            for (int place = 0; place < 26; place++) {
                seen.get(place).add(characters.charAt(place));
            }
        }

        assertThat(seen).allSatisfy(characters -> assertThat(characters).hasSize(32));
    }

    @Test
    void oneSourceGivesAnotherIdEachTime() {
        Random random = new Random(1);

        assertThat(Stream.generate(() -> RunId.random(random)).limit(1000)).doesNotHaveDuplicates();
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

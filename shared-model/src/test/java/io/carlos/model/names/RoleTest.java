package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoleTest {
    @ParameterizedTest
    @CsvSource({"run, RUN", "seed, SEED", "sidecar, SIDECAR", "cmd, CMD"})
    void aWireNameIsReadAndWritten(String wireName, Role role) {
        assertThat(Role.of(wireName)).isEqualTo(role);
        assertThat(role.wireName()).isEqualTo(wireName);
        assertThat(role).hasToString(wireName);
    }

    @Test
    void thereAreFourRoles() {
        assertThat(Role.values()).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Run", "run ", "exec", "", "RUN", " run", "run\n", "run\0", "seeds"})
    void anyOtherTextIsRefused(String text) {
        assertThatThrownBy(() -> Role.of(text))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageStartingWith("not a role")
                .hasMessageContaining("run, seed, sidecar and cmd");
    }
}

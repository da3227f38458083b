package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InvocationIdTest {
    @Test
    void thirtyTwoLowerCaseHexDigitsAreAnInvocationId() {
        assertThat(InvocationId.of("0123456789abcdef0123456789abcdef")).hasToString("0123456789abcdef0123456789abcdef");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0123456789abcdef0123456789abcde",
                "0123456789abcdef0123456789abcdef0",
                "0123456789ABCDEF0123456789ABCDEF",
                "0123456789abcdef0123456789abcdeg",
                "01234567-89ab-cdef-0123-456789abcdef",
                "../../../../../../../../../../..",
                "0123456789abcdef0123456789abcde\n"
            })
    void anyOtherTextIsRefused(String text) {
        assertThatThrownBy(() -> InvocationId.of(text))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageContaining("32 lower-case hex digits");
    }
}

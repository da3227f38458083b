package io.carlos.model.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlugTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "acme", "a-", "a--b", "az09", "123456789012345678901234567890123456789"})
    void aShortNameNamesAnAccountAnAppAndAMachine(String text) {
        assertThat(Account.of(text)).hasToString(text);
        assertThat(App.of(text)).hasToString(text);
        assertThat(VmName.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                "A",
                "a_b",
                "a.b",
                "a/b",
                "..",
                "a b",
                "é",
                "a\n",
                "1234567890123456789012345678901234567890"
            })
    void anyOtherTextIsRefusedForAll(String text) {
        assertThatThrownBy(() -> Account.of(text)).hasMessageStartingWith("not an account");
        assertThatThrownBy(() -> App.of(text)).hasMessageStartingWith("not an app");
        assertThatThrownBy(() -> VmName.of(text)).hasMessageStartingWith("not a machine");
    }
}

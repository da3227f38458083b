package io.carlos.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserDirectoriesTest {
    @Test
    void stateIsBelowTheHomeDirectory() {
        assertThat(new UserDirectories(Map.of("HOME", "/home/u")).state())
                .contains(Path.of("/home/u/.local/state/carlos"));
    }

    @Test
    void variableForTheStateGoesFirst() {
        assertThat(new UserDirectories(Map.of("HOME", "/home/u", "XDG_STATE_HOME", "/s")).state())
                .contains(Path.of("/s/carlos"));
    }

    @Test
    void relativeVariableIsIgnored() {
        assertThat(new UserDirectories(Map.of("HOME", "/home/u", "XDG_STATE_HOME", "s")).state())
                .contains(Path.of("/home/u/.local/state/carlos"));
    }

    @Test
    void userWithoutAHomeHasNoState() {
        assertThat(new UserDirectories(Map.of("HOME", "")).state()).isEmpty();
    }
}

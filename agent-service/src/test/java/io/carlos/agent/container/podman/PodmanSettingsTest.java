package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodmanSettingsTest {
    private static final ContainerRoot ROOT = new ContainerRoot.Directory(Path.of("/srv/root"));

    private static PodmanSettings of(Map<String, String> environment) {
        return PodmanSettings.of(ROOT, Path.of("/opt/carlos/carlos"), "owner", environment);
    }

    @Test
    void podmanIsGivenItsOwnVariablesAndNoOthers() {
        assertThat(of(Map.of("HOME", "/home/agent", "NOTIFY_SOCKET", "/run/notify", "PATH", "/tmp"))
                        .environment())
                .containsOnly(
                        Map.entry("HOME", "/home/agent"),
                        Map.entry("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
    }

    @Test
    void programThatWouldBeSearchedForIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of()).withProgram(List.of("podman")))
                .withMessageContaining("podman");
    }

    @Test
    void imageThatWouldBeAnOptionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ContainerRoot.Image("--privileged"))
                .withMessageContaining("--privileged");
    }
}

package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.podman.ContainerRoot;
import io.carlos.agent.container.podman.PodmanSettings;
import io.carlos.agent.service.health.NeedsHealth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class PodmanPropertiesTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("HOME", "/root");

    @Test
    void everyPropertyIsMapped() {
        PodmanSettings settings = bind(Map.of(
                        "root", "/srv/root",
                        "program", "/usr/bin/nice,/usr/bin/podman",
                        "native-program", "/srv/carlos",
                        "create-arguments", "--network=none,--memory=1g"))
                .settings("/data", ENVIRONMENT);

        assertThat(settings)
                .isEqualTo(PodmanSettings.of(
                                new ContainerRoot.Directory(Path.of("/srv/root")),
                                Path.of("/srv/carlos"),
                                "/data",
                                ENVIRONMENT)
                        .withProgram(List.of("/usr/bin/nice", "/usr/bin/podman"))
                        .withCreateArguments(List.of("--network=none", "--memory=1g")));
    }

    @Test
    void anImageIsEnoughToBeSet() {
        assertThat(bind(Map.of("image", "localhost/base")).settings("/data", ENVIRONMENT))
                .isEqualTo(PodmanSettings.of(
                        new ContainerRoot.Image("localhost/base"),
                        Path.of("/opt/carlos/carlos"),
                        "/data",
                        ENVIRONMENT));
    }

    @Test
    void neitherARootNorAnImageIsRefused() {
        assertThatThrownBy(() -> bind(Map.of()))
                .rootCause()
                .hasMessageContaining("carlos.agent.podman.root is not set");
    }

    @Test
    void bothARootAndAnImageAreRefused() {
        assertThatThrownBy(() -> bind(Map.of("root", "/srv/root", "image", "localhost/base")))
                .rootCause()
                .hasMessageContaining("set only one of them");
    }

    @ParameterizedTest
    @CsvSource({
        "root, base",
        "root, /srv/a:b",
        "image, --privileged",
        "program, podman",
        "native-program, carlos",
    })
    void aValueThatCannotBeIsNamed(String name, String value) {
        assertThatThrownBy(() -> bind(withRootUnless(name, Map.of(name, value))))
                .rootCause()
                .hasMessageContaining("carlos.agent.podman." + name + " is ")
                .hasMessageContaining(value);
    }

    @Test
    void anArgumentThatIsNoOptionIsNamed() {
        assertThatThrownBy(() -> bind(Map.of("root", "/srv/root", "create-arguments", "--memory,1g")))
                .rootCause()
                .hasMessageContaining("carlos.agent.podman.create-arguments has 1g");
    }

    @Test
    void whatIsNotThereIsNamedByItsSetting(@TempDir Path directory) throws Exception {
        Path program = Files.createFile(directory.resolve("podman"));
        PodmanProperties properties = bind(Map.of(
                "root", directory.resolve("root").toString(),
                "program", program.toString(),
                "native-program", directory.resolve("carlos").toString()));

        assertThat(new NeedsHealth(properties.needs()).obstacles())
                .containsExactly(
                        program + ": the agent's user cannot execute it; see carlos.agent.podman.program",
                        directory + "/carlos: it is not there; see carlos.agent.podman.native-program",
                        directory + "/root: it is not there; see carlos.agent.podman.root");
    }

    private static Map<String, String> withRootUnless(String name, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        if (!name.equals("root") && !name.equals("image")) {
            all.put("root", "/srv/root");
        }
        return all;
    }

    private static PodmanProperties bind(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>();
        settings.forEach((name, value) -> all.put(PodmanProperties.PREFIX + "." + name, value));
        return new Binder(new MapConfigurationPropertySource(all))
                .bindOrCreate(PodmanProperties.PREFIX, PodmanProperties.class);
    }
}

package io.carlos.agent.container.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.MountRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreateArgumentsTest {
    private static final PodmanSettings SETTINGS = new PodmanSettings(
            List.of("/usr/bin/podman"),
            Map.of("PATH", "/sbin:/bin"),
            List.of("--network=none"),
            List.of(),
            new ContainerRoot.Directory(Path.of("/srv/root")),
            Path.of("/opt/carlos/carlos"),
            "/run/carlos");

    @TempDir
    private Path directory;

    private ContainerSpec spec() {
        return ContainerSpec.of(
                "one", Mount.readWrite(directory, "/workspace"), 1000, Map.of("PATH", "/bin", "SECRET", "a\nb"));
    }

    @Test
    void containerThatOnlyWaitsIsTheInitProgramOnARootThatStaysAsItIs() throws Exception {
        assertThat(CreateArguments.of(SETTINGS, spec()))
                .containsExactly(
                        "create",
                        "--name=one",
                        "--label=io.carlos.owner=/run/carlos",
                        "--pull=never",
                        "--init",
                        "--user=1000:1000",
                        "--cap-drop=all",
                        "--security-opt=no-new-privileges",
                        "--restart=no",
                        "--no-healthcheck",
                        "--systemd=false",
                        "--sdnotify=ignore",
                        "--http-proxy=false",
                        "--log-driver=none",
                        "--volume=/opt/carlos/carlos:/run/carlos-exec:ro",
                        "--volume=" + directory + ":/workspace:rw",
                        "--network=none",
                        "--entrypoint=",
                        "--rootfs",
                        "/srv/root:O",
                        "/run/podman-init",
                        "-P");
    }

    @Test
    void commandIsRunFromAnImageWithWhatItIsGranted() throws Exception {
        PodmanSettings settings = new PodmanSettings(
                SETTINGS.program(),
                SETTINGS.environment(),
                List.of(),
                List.of(),
                new ContainerRoot.Image("localhost/base"),
                SETTINGS.nativeProgram(),
                SETTINGS.owner());
        assertThat(CreateArguments.of(
                        settings, spec().withCommand(List.of("serve", "--fast"), Set.of("CAP_NET_RAW", "CAP_CHOWN"))))
                .containsSubsequence(
                        "--cap-add=CAP_CHOWN", "--cap-add=CAP_NET_RAW", "--env=PATH=/bin", "--env=SECRET=a\nb")
                .endsWith("--entrypoint=", "localhost/base", "serve", "--fast");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-rm", "a b", "a/b", ".a", "a=b"})
    void nameThatIsNoneOfPodmansIsRefused(String name) {
        ContainerSpec named = ContainerSpec.of(name, Mount.readWrite(directory, "/workspace"), 1000, Map.of());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CreateArguments.of(SETTINGS, named))
                .withMessageContaining(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all", "CAP_A,CAP_B"})
    void capabilityThatIsNoneIsRefused(String name) {
        ContainerSpec granted = spec().withCommand(List.of(), Set.of(name));
        assertThatIllegalArgumentException().isThrownBy(() -> CreateArguments.of(SETTINGS, granted));
    }

    @Test
    void mountIsGivenWithTheOptionsThatHoldForAll() throws Exception {
        PodmanSettings mapping = SETTINGS.withVolumeOptions(List.of("idmap=uids=0-1000-1;gids=0-1000-1"));
        assertThat(CreateArguments.of(mapping, spec()))
                .contains("--volume=" + directory + ":/workspace:rw,idmap=uids=0-1000-1;gids=0-1000-1");
    }

    @Test
    void mountsThatCannotBeGivenAreRefusedByTheirNames() throws Exception {
        Path colon = Files.createDirectory(directory.resolve("a:ro"));
        Path missing = directory.resolve("missing");
        for (Path source : List.of(colon, missing)) {
            ContainerSpec mounted = spec().withMounts(List.of(Mount.readWrite(source, "/workspace")));
            assertThatThrownBy(() -> CreateArguments.of(SETTINGS, mounted))
                    .isInstanceOf(MountRefusedException.class)
                    .hasMessageContaining(source.toString());
        }
    }
}

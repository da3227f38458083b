package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.launch.container.ContainerLauncher;
import io.carlos.model.records.Isolation;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A box of containers without a root file system for them. */
@Timeout(120)
class PodmanBoxTest {
    @Test
    void aBoxWithoutARootFileSystemIsNotReadyAndNamesItBesideItsVirtualMachines(@TempDir Path root) throws Exception {
        List<String> settings =
                List.of("--carlos.agent.podman.program=/bin/true", "--carlos.agent.podman.root=" + root.resolve("no"));

        try (RunningBox box = new RunningBox(root, "podman,microvm", settings)) {
            AdminClient.Answer readiness = box.client().get("/actuator/health/readiness");

            assertThat(readiness.status()).as(readiness.body()).isEqualTo(503);
            assertThat(readiness.body())
                    .contains("/no: it is not there; see carlos.agent.podman.root", "see carlos.agent.microvm.image");
            assertThat(box.bean(Launchers.class).byIsolation())
                    .hasSize(2)
                    .hasEntrySatisfying(
                            Isolation.PODMAN, launcher -> assertThat(launcher).isInstanceOf(ContainerLauncher.class));
        }
    }

    @Test
    void aBoxWhosePodmanFailsDoesNotStart(@TempDir Path root) {
        List<String> settings =
                List.of("--carlos.agent.podman.program=/bin/false", "--carlos.agent.podman.root=" + root);

        assertThatThrownBy(() -> new RunningBox(root, "podman", settings))
                .rootCause()
                .hasMessageContaining("podman info failed");
    }
}

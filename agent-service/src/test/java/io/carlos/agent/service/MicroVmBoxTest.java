package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.ContainerSpec;
import io.carlos.agent.container.Mount;
import io.carlos.agent.container.microvm.BootConfiguration;
import io.carlos.agent.container.microvm.MicroVmRuntime;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.RecordingSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.agent.launch.container.ContainerLauncher;
import io.carlos.agent.launch.process.ProcessLauncher;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A box of virtual machines without an image to boot one from. */
@Timeout(120)
class MicroVmBoxTest {
    private static final String NO_METADATA = "--carlos.agent.microvm.metadata-addresses=";

    @Test
    void aBoxThatReachesAMetadataServiceIsNotReadyAndMakesNoMachine(@TempDir Path root) throws Exception {
        try (ServerSocket metadata = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RunningBox box = new RunningBox(
                        root, "microvm", List.of(NO_METADATA + "127.0.0.1:" + metadata.getLocalPort()))) {
            String objection = "127.0.0.1:" + metadata.getLocalPort() + ": a metadata service answers there";
            Mount workspace = Mount.readWrite(root, BootConfiguration.WORKSPACE);
            ContainerSpec spec = ContainerSpec.of("one", workspace, BootConfiguration.USER, Map.of());

            assertThatThrownBy(() -> box.bean(MicroVmRuntime.class).create(spec))
                    .hasMessageContaining(objection);
            assertThat(box.paths().agentRun().resolve("microvm")).isEmptyDirectory();
            assertThat(box.client().get("/actuator/health/readiness").body()).contains(objection);
        }
    }

    @Test
    void aBoxWithoutAnImageIsNotReadyAndNamesItsFiles(@TempDir Path root) throws Exception {
        try (RunningBox box = new RunningBox(
                root,
                "microvm,process",
                List.of(NO_METADATA, "--carlos.agent.microvm.image=" + root.resolve("no-image")))) {
            AdminClient.Answer readiness = box.client().get("/actuator/health/readiness");

            assertThat(readiness.status()).as(readiness.body()).isEqualTo(503);
            assertThat(readiness.body())
                    .contains("/no-image/root.erofs: it is not there; see carlos.agent.microvm.image");
            assertThat(box.bean(Launchers.class).byIsolation())
                    .hasSize(2)
                    .hasEntrySatisfying(
                            Isolation.MICROVM, launcher -> assertThat(launcher).isInstanceOf(ContainerLauncher.class))
                    .hasEntrySatisfying(
                            Isolation.PROCESS, launcher -> assertThat(launcher).isInstanceOf(ProcessLauncher.class));
        }
    }

    @Test
    void aBoxThatIsShutDownLeavesNoSession(@TempDir Path root) throws Exception {
        Path sessions;
        try (RunningBox box = new RunningBox(root, "microvm", List.of(NO_METADATA))) {
            sessions = box.paths().agentRun().resolve("microvm");
            Mount workspace = Mount.readWrite(root, BootConfiguration.WORKSPACE);
            box.bean(MicroVmRuntime.class).create(ContainerSpec.of("one", workspace, BootConfiguration.USER, Map.of()));
            assertThat(sessions).isNotEmptyDirectory();
        }
        assertThat(sessions).isEmptyDirectory();
    }

    @Test
    void aWarmMachineThatDoesNotBootIsCountedAndLeavesNothing(@TempDir Path root) throws Exception {
        List<String> settings = List.of(
                NO_METADATA,
                "--carlos.agent.microvm.tools=" + root.resolve("no-tools"),
                "--carlos.agent.microvm.warm.size=1");

        try (RunningBox box = new RunningBox(root, "microvm", settings)) {
            Await.until(
                    "a boot that failed",
                    () -> metrics(box).contains("carlos_microvm_boot_seconds_count{outcome=\"failed\"} 1"));
            RunLauncher launcher = box.bean(Launchers.class).byIsolation().get(Isolation.MICROVM);
            assertThat(launcher.launch(request(root), new RecordingSink())).isInstanceOf(LaunchOutcome.Failed.class);

            assertThat(metrics(box))
                    .contains("carlos_microvm_warm_takes_total{outcome=\"miss\"} 1.0")
                    .contains("carlos_microvm_warm{state=\"ready\"} 0.0");
            // Who misses has the next one booted, which has a place until that has failed as well.
            Await.until("places that are free", () -> metrics(box).contains("carlos_microvm_machines 0.0"));
        }
        assertThat(root.resolve("run/carlos/agent/microvm")).isEmptyDirectory();
    }

    private static LaunchRequest request(Path root) throws IOException {
        Path data = root.resolve("one");
        RunId id = RunId.random(new SecureRandom());
        Path run = Files.createDirectories(data.resolve(".carlos-run").resolve(id.value()));
        InstanceRecord record = Records.of("a.example.com");
        return new LaunchRequest(id, record.ref(), record.incarnation(), List.of("true"), Map.of(), data, run);
    }

    private static String metrics(RunningBox box) {
        return box.client().get("/actuator/prometheus").body();
    }

    @Test
    void anIsolationWithoutABackendIsNamed() {
        IsolationBackend process = new IsolationBackend(Isolation.PROCESS, new ProcessLauncher());

        assertThatThrownBy(() -> Launchers.of(Set.of(Isolation.PROCESS, Isolation.PODMAN), List.of(process)))
                .hasMessageContaining("carlos.agent.isolations has podman: this agent has no such backend");
    }

    @Test
    void aBoxWithoutVirtualMachinesHasNoneOfTheirParts(@TempDir Path root) throws Exception {
        try (RunningBox box = new RunningBox(root, "process")) {
            assertThatThrownBy(() -> box.bean(MicroVmRuntime.class)).hasMessageContaining("MicroVmRuntime");
            assertThat(Files.exists(box.paths().agentRun().resolve("microvm"))).isFalse();
        }
    }
}

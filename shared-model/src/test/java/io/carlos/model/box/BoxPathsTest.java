package io.carlos.model.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.Names;
import io.carlos.model.names.Role;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoxPathsTest {
    private static final BoxPaths PATHS = BoxPaths.DEFAULT;
    private static final Host HOST = Host.of("bill-2.example.com");
    private static final InstanceId ID = InstanceId.of(HOST);

    @Test
    void theLiveBinaryIsNamedAfterTheWholeHost() {
        Host host = Names.hyphens(253);
        assertThat(PATHS.live()).hasToString("/opt/carlos/live");
        assertThat(PATHS.liveBinary(host)).isEqualTo(Path.of("/opt/carlos/live", host.value()));
    }

    @Test
    void anInstancesDataIsBoundFromItsStorage() {
        assertThat(PATHS.instanceDataStorage(ID)).hasToString("/data/.instances/bill-2.example.com");
        assertThat(PATHS.instanceData(ID)).hasToString("/data/instances/bill-2.example.com");
    }

    @Test
    void anInstancesRunDirectoryIsBoundFromItsStorage() {
        assertThat(PATHS.instanceRunStorage(ID)).hasToString("/run/carlos/.instances/bill-2.example.com");
        assertThat(PATHS.instanceRun(ID)).hasToString("/run/carlos/instances/bill-2.example.com");
    }

    @Test
    void theProbeHasDirectoriesOfItsOwn() {
        assertThat(PATHS.instanceData(InstanceId.PROBE)).hasToString("/data/instances/_probe");
        assertThat(PATHS.instanceRun(InstanceId.PROBE)).hasToString("/run/carlos/instances/_probe");
    }

    @ParameterizedTest
    @CsvSource({
        "RUN, STDOUT, bill-2.example.com.run.sock",
        "RUN, STDERR, bill-2.example.com.run.sock",
        "SEED, STDOUT, bill-2.example.com.seed.sock",
        "SIDECAR, STDERR, bill-2.example.com.sidecar.sock",
        "CMD, STDOUT, bill-2.example.com.cmd.out.sock",
        "CMD, STDERR, bill-2.example.com.cmd.err.sock"
    })
    void aRoleHasItsLogSocket(Role role, OutputChannel channel, String name) {
        assertThat(PATHS.logs()).hasToString("/run/carlos/logs");
        assertThat(PATHS.logSocket(ID, role, channel)).isEqualTo(Path.of("/run/carlos/logs", name));
    }

    @Test
    void theControlChannelIsBesideTheRunRoot() {
        assertThat(PATHS.control()).hasToString("/run/carlos-control");
        assertThat(PATHS.controlSocket()).hasToString("/run/carlos-control/control.sock");
        assertThat(PATHS.controlHealthSocket()).hasToString("/run/carlos-control/health.sock");
        assertThat(PATHS.probeReport()).hasToString("/run/carlos-control/probe.out");
        assertThat(PATHS.control().startsWith(PATHS.run())).isFalse();
    }

    @Test
    void theAgentsSocketIsUnderTheRunRoot() {
        assertThat(PATHS.agentSocket()).hasToString("/run/carlos/agent/agent.sock");
    }

    @Test
    void theProbesFixtureIsBesideTheCredentials() {
        assertThat(PATHS.configuration()).hasToString("/etc/carlos");
        assertThat(PATHS.probeSecret()).hasToString("/etc/carlos/probe-secret");
    }

    @Test
    void aRunHasItsDirectoryInTheInstancesData() {
        RunId run = RunId.of("run_abcdefghijklmnopqrstuvwxyz");
        assertThat(PATHS.runDirectories(ID)).hasToString("/data/instances/bill-2.example.com/.carlos-run");
        assertThat(PATHS.runDirectory(ID, run))
                .isEqualTo(PATHS.runDirectories(ID).resolve(run.value()));
    }

    @Test
    void theEnvironmentNamesTheDataRoot() {
        BoxPaths paths = BoxPaths.of(Map.of("CARLOS_DATA_DIR", "/srv/carlos"));
        assertThat(paths.instanceData(ID)).hasToString("/srv/carlos/instances/bill-2.example.com");
        assertThat(paths.withData(Path.of("/data"))).isEqualTo(BoxPaths.DEFAULT);
    }

    @Test
    void anEnvironmentThatSaysNothingMeansTheDefault() {
        assertThat(BoxPaths.of(Map.of())).isEqualTo(BoxPaths.DEFAULT);
        assertThat(BoxPaths.of(Map.of("CARLOS_DATA_DIR", ""))).isEqualTo(BoxPaths.DEFAULT);
    }

    @Test
    void aBoxUnderADirectoryHasEverythingThere() {
        BoxPaths paths = BoxPaths.under(Path.of("/tmp/box"));
        assertThat(paths.controlSocket()).hasToString("/tmp/box/run/carlos-control/control.sock");
        assertThat(paths.liveBinary(HOST)).hasToString("/tmp/box/opt/carlos/live/bill-2.example.com");
        assertThat(paths.probeSecret()).hasToString("/tmp/box/etc/carlos/probe-secret");
        assertThat(paths.instanceData(ID)).hasToString("/tmp/box/data/instances/bill-2.example.com");
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", "", "/", "/data/../etc", "/data/.", "./data", "../data"})
    void aRootThatIsNotAbsoluteAndCleanIsRefused(String root) {
        assertThatThrownBy(() -> BoxPaths.DEFAULT.withData(Path.of(root)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("data root: \"" + root + "\"");
        assertThatThrownBy(() -> BoxPaths.DEFAULT.withRun(Path.of(root))).hasMessageStartingWith("run root");
    }

    /** A {@code sockaddr_un} takes 107 bytes besides its NUL. */
    @Test
    void everyPathMadeOfTheIdentifierOfTheWorstHostFitsASocketAddress() {
        for (int length = 3; length <= Host.MAX_LENGTH; length++) {
            InstanceId id = InstanceId.of(Names.hyphens(length));
            for (Path path : pathsOf(id)) {
                assertThat(path.toString().getBytes(StandardCharsets.UTF_8).length)
                        .as("bytes of %s", path)
                        .isLessThanOrEqualTo(107);
            }
        }
    }

    @Test
    void aSocketPathThatDoesNotFitIsRefused() {
        BoxPaths paths = PATHS.withRun(Path.of("/" + "r".repeat(75)));
        assertThat(paths.logSocket(InstanceId.of("a.b"), Role.CMD, OutputChannel.STDOUT)
                        .toString())
                .hasSizeLessThanOrEqualTo(107);
        assertThatThrownBy(() -> paths.logSocket(ID, Role.CMD, OutputChannel.STDOUT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it has 113 bytes, over the 107 of a socket address");
    }

    @Test
    void aSocketPathOf107BytesFits() {
        String rest = "/agent/agent.sock";
        assertThat(PATHS.withRun(Path.of("/" + "é".repeat((107 - rest.length() - 2) / 2) + "r"))
                        .agentSocket())
                .satisfies(path -> assertThat(path.toString().getBytes(StandardCharsets.UTF_8))
                        .hasSize(107));
        assertThatThrownBy(() -> PATHS.withRun(Path.of("/" + "r".repeat(107 - rest.length())))
                        .agentSocket())
                .hasMessageContaining("it has 108 bytes");
    }

    private static List<Path> pathsOf(InstanceId id) {
        List<Path> paths = new ArrayList<>(List.of(
                PATHS.instanceData(id),
                PATHS.instanceDataStorage(id),
                PATHS.instanceRun(id),
                PATHS.instanceRunStorage(id),
                PATHS.runDirectories(id)));
        for (Role role : Role.values()) {
            for (OutputChannel channel : OutputChannel.values()) {
                paths.add(PATHS.logSocket(id, role, channel));
            }
        }
        return paths;
    }
}

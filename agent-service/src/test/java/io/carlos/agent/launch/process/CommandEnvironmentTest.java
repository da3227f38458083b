package io.carlos.agent.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.LaunchRequest;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandEnvironmentTest {
    private static final RunId ID = RunId.of("run_abcdefghijklmnopqrstuvwxyz");

    private static Map<String, String> environment(Map<String, String> instance, Map<String, String> agent) {
        return CommandEnvironment.of(
                new LaunchRequest(
                        ID,
                        Records.of("acme.example.com").ref(),
                        Records.of("acme.example.com").incarnation(),
                        List.of("true"),
                        instance,
                        Path.of("/data"),
                        Path.of("/data/x/../run")),
                agent);
    }

    @Test
    void onlyTheAllowedVariablesOfTheAgentAreInherited() {
        Map<String, String> agent = Map.of(
                "PATH", "/bin", "HOME", "/home", "LC_TIME", "C", "TZ", "UTC", "AWS_SECRET_ACCESS_KEY", "s", "LCX", "x");
        assertThat(environment(Map.of(), agent))
                .containsEntry("PATH", "/bin")
                .containsEntry("HOME", "/home")
                .containsEntry("LC_TIME", "C")
                .containsEntry("TZ", "UTC")
                .doesNotContainKeys("AWS_SECRET_ACCESS_KEY", "LCX");
    }

    @Test
    void variableOfTheInstanceWinsOverTheAgents() {
        assertThat(environment(Map.of("PATH", "/opt"), Map.of("PATH", "/bin"))).containsEntry("PATH", "/opt");
    }

    @Test
    void variableOfTheRunWinsOverTheInstances() {
        assertThat(environment(Map.of("CARLOS_RUN_DIR", "/forged", "OTHER", "kept"), Map.of()))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "OTHER", "kept",
                        "CARLOS_RUN_DIR", "/data/run",
                        "CARLOS_DATA_DIR", "/data",
                        "CARLOS_HOST", "acme.example.com",
                        "CARLOS_RUN_ID", ID.value()));
    }
}

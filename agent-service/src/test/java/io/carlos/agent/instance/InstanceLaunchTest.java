package io.carlos.agent.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.Role;
import io.carlos.model.records.Records;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InstanceLaunchTest {
    private static InstanceRow row(Map<String, String> env) {
        return InstanceRow.created(Records.withEnvironment(Records.of("a.example.com"), env), Instant.EPOCH);
    }

    private static List<String> environment(Map<String, String> env) {
        return InstanceLaunch.of(row(env), Role.RUN, BoxPaths.DEFAULT).env();
    }

    @Test
    void an_empty_environment_has_the_platforms() {
        assertThat(environment(Map.of()))
                .containsExactlyInAnyOrder(
                        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                        "HOME=/data/instances/a.example.com",
                        "CARLOS_HOST=a.example.com",
                        "CARLOS_ROLE=run",
                        "CARLOS_DATA_DIR=/data/instances/a.example.com",
                        "CARLOS_RUN_DIR=/run/carlos/instances/a.example.com",
                        "CARLOS_SOCKET=/run/carlos/instances/a.example.com/app.sock");
    }

    @Test
    void the_records_environment_comes_before_the_defaults_and_after_the_platforms_own() {
        assertThat(environment(Map.of("PATH", "/bin", "HOME", "/tmp", "CARLOS_HOST", "other", "X", "1")))
                .contains("PATH=/bin", "HOME=/tmp", "CARLOS_HOST=a.example.com", "X=1")
                .doesNotContain("CARLOS_HOST=other");
    }

    @Test
    void roles_beside_the_instance_are_an_argument_of_its_program() {
        assertThat(InstanceLaunch.of(row(Map.of()), Role.RUN, BoxPaths.DEFAULT).argv())
                .containsExactly("/opt/carlos/live/a.example.com");
        assertThat(InstanceLaunch.of(row(Map.of()), Role.SEED, BoxPaths.DEFAULT).argv())
                .containsExactly("/opt/carlos/live/a.example.com", "seed");
        assertThat(InstanceLaunch.of(row(Map.of()), Role.SIDECAR, BoxPaths.DEFAULT)
                        .argv())
                .containsExactly("/opt/carlos/live/a.example.com", "sidecar");
    }

    @Test
    void a_command_is_its_runs() {
        assertThatThrownBy(() -> InstanceLaunch.of(row(Map.of()), Role.CMD, BoxPaths.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_environment_that_breaks_a_rule_is_refused() {
        assertThatThrownBy(() -> environment(Map.of("", "x"))).isInstanceOf(InvalidDocumentException.class);
    }
}

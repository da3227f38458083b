package io.carlos.guest.namespace.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.InstanceId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentTest {
    private static final InstanceId ID = InstanceId.of("bill.example.com");

    @Test
    void aVariableIsFoundByItsWholeName() {
        Environment environment = environment("AB=1", "A=x=y", "A=2", "B=");

        assertThat(environment.find("A")).isEqualTo("x=y");
        assertThat(environment.find("B")).isEmpty();
        assertThat(environment.get("B", "otherwise")).isEqualTo("otherwise");
        assertThat(environment.find("C")).isNull();
    }

    @Test
    void aValueThatIsNoUtf8IsNotThere() {
        assertThat(new Environment(new byte[][] {{'A', '=', (byte) 0xc3}}).find("A"))
                .isNull();
    }

    @Test
    void withoutVariablesABoxIsTheOneOfTheMachine() {
        assertThat(BoxDirectories.of(environment()))
                .isEqualTo(new BoxDirectories("/data", "/run/carlos", "/opt/carlos/live", "/etc/carlos"));
    }

    @Test
    void theDataRootCanBeElsewhere() {
        BoxDirectories box = BoxDirectories.of(environment("CARLOS_DATA_DIR=/srv/data"));

        assertThat(box.instanceData(ID)).isEqualTo("/srv/data/instances/bill.example.com");
        assertThat(box.instanceRun(ID)).isEqualTo("/run/carlos/instances/bill.example.com");
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", "/data/", "/data//x", "/data/../etc", "/./data", "/"})
    void aDataRootThatIsNotCleanIsRefused(String data) {
        assertThatThrownBy(() -> BoxDirectories.of(environment("CARLOS_DATA_DIR=" + data)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + data + "\"");
    }

    private static Environment environment(String... entries) {
        return new Environment(new JnaSyscalls(entries).environment());
    }
}

package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.AgentSettings;
import io.carlos.agent.fleet.TakeOver;
import io.carlos.agent.runs.RunsSettings;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.records.Isolation;
import io.carlos.store.location.StoreLocation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class AgentPropertiesTest {
    private static final Map<String, String> LEAST = Map.of("store", "/s", "box", "b", "region", "r");

    @Test
    void every_property_is_mapped() {
        AgentProperties properties = bind(Map.ofEntries(
                Map.entry("store", "/var/lib/carlos"),
                Map.entry("box", "box-7"),
                Map.entry("region", "eu"),
                Map.entry("pools", "beta,gpu"),
                Map.entry("data", "/srv/data"),
                Map.entry("run", "/srv/run"),
                Map.entry("isolations", "process"),
                Map.entry("max-instances", "9"),
                Map.entry("take-over", "automatic"),
                Map.entry("lost-after", "1m"),
                Map.entry("pass-interval", "2m"),
                Map.entry("look-interval", "5s"),
                Map.entry("stop-bound", "30s"),
                Map.entry("stop-grace", "10s"),
                Map.entry("max-executions", "5"),
                Map.entry("max-stagings", "2"),
                Map.entry("actuator-address", "127.0.0.1:9464")));

        assertThat(properties)
                .isEqualTo(new AgentProperties(
                        StoreLocation.of("/var/lib/carlos"),
                        "box-7",
                        "eu",
                        List.of("beta", "gpu"),
                        Path.of("/srv/data"),
                        Path.of("/srv/run"),
                        Set.of(Isolation.PROCESS),
                        9,
                        TakeOver.AUTOMATIC,
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(10),
                        5,
                        2,
                        new ListenAddress("127.0.0.1", 9464)));
        assertThat(properties.settings())
                .isEqualTo(new AgentSettings(
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        new RunsSettings(
                                Duration.ofSeconds(10),
                                RunsSettings.DEFAULTS.recordLook(),
                                RunsSettings.DEFAULTS.endAllowance(),
                                5,
                                2)));
    }

    @Test
    void what_is_not_set_is_as_in_every_other_agent() {
        AgentProperties properties = bind(LEAST);

        assertThat(properties.pools()).isEmpty();
        assertThat(properties.actuatorAddress()).isNull();
        assertThat(properties.paths()).isEqualTo(BoxPaths.DEFAULT);
        assertThat(properties.settings()).isEqualTo(AgentSettings.DEFAULTS);
    }

    @Test
    void a_bucket_is_a_store() {
        Map<String, String> set = new HashMap<>(LEAST);
        set.put("store", "s3://fleet?region=eu-central-1");

        assertThat(bind(set).store()).isEqualTo(StoreLocation.of("s3://fleet?region=eu-central-1"));
    }

    @ParameterizedTest
    @CsvSource({
        "store, s3://fleet, needs its region",
        "max-instances, 0, max-instances is 0",
        "lost-after, 4s, lost-after is PT4S",
        "actuator-address, 9464, expected HOST:PORT",
        "actuator-address, :9464, expected HOST:PORT",
        "actuator-address, localhost:x, expected HOST:PORT",
        "actuator-address, localhost:70000, expected HOST:PORT",
        "lost-after, 8d, lost-after is PT192H",
    })
    void a_value_out_of_bounds_is_told(String name, String value, String expected) {
        Map<String, String> set = new HashMap<>(LEAST);
        set.put(name, value);

        assertRefused(set, expected);
    }

    @Test
    void a_box_without_a_name_has_that_of_its_machine() throws Exception {
        Map<String, String> set = new HashMap<>(LEAST);
        set.remove("box");
        String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();

        assertThat(bind(set).box()).isEqualTo(name);
        set.put("box", "");
        assertThat(bind(set).box()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({"box, a/b", "box, ..", "region, eu/west", "region, e u"})
    void a_name_that_cannot_be_part_of_a_key_is_told(String name, String value) {
        Map<String, String> set = new HashMap<>(LEAST);
        set.put(name, value);

        assertThatThrownBy(() -> bind(set))
                .hasStackTraceContaining("carlos.agent." + name + " is " + value + ": set it to letters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"store", "region"})
    void a_required_property_that_is_missing_or_blank_is_named(String name) {
        Map<String, String> set = new HashMap<>(LEAST);
        set.remove(name);
        assertRefused(set, "carlos.agent." + name + " is not set");

        set.put(name, "");
        assertRefused(set, name.equals("store") ? "names no store" : "carlos.agent." + name + " is not set");
    }

    @ParameterizedTest
    @CsvSource({
        "pass-interval, 0s",
        "pass-interval, -1s",
        "look-interval, 0s",
        "stop-bound, 0s",
        "stop-grace, 0s",
    })
    void a_time_that_is_not_above_zero_is_named(String name, String value) {
        Map<String, String> set = new HashMap<>(LEAST);
        set.put(name, value);

        assertRefused(set, "carlos.agent." + name + " is PT");
    }

    @ParameterizedTest
    @CsvSource({"max-executions, 0", "max-stagings, -1"})
    void a_number_that_is_not_above_zero_is_named(String name, String value) {
        Map<String, String> set = new HashMap<>(LEAST);
        set.put(name, value);

        assertRefused(set, "carlos.agent." + name + " is " + value);
    }

    @Test
    void a_grace_as_long_as_the_bound_of_a_stop_is_refused() {
        Map<String, String> set = new HashMap<>(LEAST);
        set.put("stop-grace", "45s");

        assertRefused(set, "set a bound that is longer");
    }

    private static void assertRefused(Map<String, String> set, String message) {
        assertThatThrownBy(() -> bind(set)).rootCause().hasMessageContaining(message);
    }

    private static AgentProperties bind(Map<String, String> set) {
        Map<String, String> prefixed = new HashMap<>();
        set.forEach((name, value) -> prefixed.put(AgentProperties.PREFIX + "." + name, value));
        return new Binder(new MapConfigurationPropertySource(prefixed))
                .bindOrCreate(AgentProperties.PREFIX, AgentProperties.class);
    }
}

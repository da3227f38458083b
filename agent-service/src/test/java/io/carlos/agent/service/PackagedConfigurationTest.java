package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.records.Isolation;
import io.carlos.store.location.StoreLocation;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

/** What the package of a box has of the agent's settings. */
class PackagedConfigurationTest {
    private static final Path CONFIGURATION = Path.of("../deploy/etc/agent.yaml");
    private static final Path MANUAL = Path.of("../deploy/man/carlos-agent.yaml.5");

    static Stream<String> settings() {
        return Stream.of(AgentProperties.class, MicroVmProperties.class, PodmanProperties.class)
                .map(Class::getRecordComponents)
                .flatMap(Stream::of)
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("[A-Z]", "-$0").toLowerCase(Locale.ROOT));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void theManualHasTheSetting(String setting) throws IOException {
        assertThat(Files.readAllLines(MANUAL)).containsSequence(".TP", ".B " + setting.replace("-", "\\-"));
    }

    @Test
    void theManualHasNoOtherSetting() throws IOException {
        String manual = Files.readString(MANUAL);
        String section = manual.substring(manual.indexOf(".SH SETTINGS"), manual.indexOf(".SH SEE ALSO"));

        assertThat(section.lines().filter(".TP"::equals))
                .hasSize((int) settings().count());
    }

    @Test
    void theConfigurationNamesTheBoxAfterTheMachineAndKeepsItsStoreInADirectory() throws IOException {
        AgentProperties properties = bind(CONFIGURATION, "box-7");

        assertThat(properties.box()).isEqualTo("box-7");
        assertThat(properties.region()).isEqualTo("local");
        assertThat(properties.store()).isEqualTo(StoreLocation.of("/var/lib/carlos/store"));
        assertThat(properties.data()).isEqualTo(Path.of("/data"));
        assertThat(properties.isolations()).containsExactly(Isolation.UNIT);
    }

    private static AgentProperties bind(Path file, String machine) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("file", new FileSystemResource(file));
        sources.forEach(environment.getPropertySources()::addLast);
        environment.getPropertySources().addFirst(new MapPropertySource("machine", Map.of("HOSTNAME", machine)));
        return Binder.get(environment)
                .bind(AgentProperties.PREFIX, AgentProperties.class)
                .get();
    }
}

package io.carlos.control.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.control.verb.StopTimes;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;

class ControlSettingsTest {
    private static ControlSettings bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("carlos.control", ControlSettings.class);
    }

    @Test
    void theDefaultsAreThoseOfABox() {
        assertThat(bind(Map.of()))
                .isEqualTo(new ControlSettings(
                        "/",
                        "/usr/bin/systemctl",
                        "/sys/fs/cgroup",
                        new ControlSettings.Peer("carlos", "carlos-edge.service", Duration.ofSeconds(3)),
                        Duration.ofMinutes(5)));
        assertThat(bind(Map.of()).paths().controlSocket()).hasToString("/run/carlos-control/control.sock");
        assertThat(bind(Map.of()).paths().controlHealthSocket()).hasToString("/run/carlos-control/health.sock");
    }

    @Test
    void everySettingHasItsProperty() {
        assertThat(bind(Map.of(
                        "carlos.control.root", "/box",
                        "carlos.control.systemctl", "/box/systemctl",
                        "carlos.control.cgroup-root", "/box/cgroup",
                        "carlos.control.peer.user", "agent",
                        "carlos.control.peer.unit", "",
                        "carlos.control.peer.budget", "1s",
                        "carlos.control.probe-interval", "10s")))
                .isEqualTo(new ControlSettings(
                        "/box",
                        "/box/systemctl",
                        "/box/cgroup",
                        new ControlSettings.Peer("agent", "", Duration.ofSeconds(1)),
                        Duration.ofSeconds(10)));
    }

    @Test
    void aServiceThatIsStoppedWaitsLongerThanAStopTakesAndShorterThanItsUnitGivesIt() throws Exception {
        Properties properties = new Properties();
        try (InputStream file = ControlService.class.getResourceAsStream("/application-systemd.properties")) {
            properties.load(file);
        }
        Duration drain =
                DurationStyle.detectAndParse(properties.getProperty("spring.lifecycle.timeout-per-shutdown-phase"));

        assertThat(drain)
                .isGreaterThan(StopTimes.DEFAULT.untilKilled().plusSeconds(10))
                .isLessThan(Duration.ofSeconds(90));
    }
}

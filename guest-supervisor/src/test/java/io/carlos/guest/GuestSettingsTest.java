package io.carlos.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class GuestSettingsTest {
    private static GuestSettings bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("carlos.guest", GuestSettings.class);
    }

    @Test
    void theDefaultsAreThoseOfAMachine() {
        GuestSettings settings = bind(Map.of());
        assertThat(settings).isEqualTo(new GuestSettings(null, "", null, null, "/workspace", Duration.ofSeconds(10)));
        assertThat(settings.address()).isEmpty();
        assertThat(settings.cgroupDirectory()).isEmpty();
        assertThat(settings.nativeProgramFile()).contains(Path.of("/opt/carlos/carlos"));
        assertThat(settings.workspaceDirectory()).isEqualTo(Path.of("/workspace"));
    }

    @Test
    void everySettingHasItsProperty() {
        GuestSettings settings = bind(Map.of(
                "carlos.guest.listen", "unix:/run/guest.sock",
                "carlos.guest.boot-nonce", "0a0b",
                "carlos.guest.cgroup", "/sys/fs/cgroup/commands",
                "carlos.guest.native-program", "/opt/native",
                "carlos.guest.workspace", "/home",
                "carlos.guest.stop-grace", "2s"));
        assertThat(settings)
                .isEqualTo(new GuestSettings(
                        "unix:/run/guest.sock",
                        "0a0b",
                        "/sys/fs/cgroup/commands",
                        "/opt/native",
                        "/home",
                        Duration.ofSeconds(2)));
        assertThat(settings.address()).contains("unix:/run/guest.sock");
        assertThat(settings.cgroupDirectory()).contains(Path.of("/sys/fs/cgroup/commands"));
        assertThat(settings.nativeProgramFile()).contains(Path.of("/opt/native"));
        assertThat(settings.workspaceDirectory()).isEqualTo(Path.of("/home"));
    }

    @Test
    void aProcessAmongOthersNeedsNoNativeProgram() {
        assertThat(bind(Map.of("carlos.guest.listen", "unix:/run/guest.sock")).nativeProgramFile())
                .isEmpty();
    }
}

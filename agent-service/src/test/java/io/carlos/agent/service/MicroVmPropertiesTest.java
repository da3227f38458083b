package io.carlos.agent.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.microvm.CloudHypervisorMonitor;
import io.carlos.agent.container.microvm.GuestImage;
import io.carlos.agent.container.microvm.Helpers;
import io.carlos.agent.container.microvm.MachineSize;
import io.carlos.agent.container.microvm.MicroVmSettings;
import io.carlos.agent.container.microvm.QemuMonitor;
import io.carlos.agent.container.microvm.QemuMonitor.Accelerator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

class MicroVmPropertiesTest {
    private static final Path AGENT = Path.of("/run/carlos/agent");
    private static final Helpers HELPERS = Helpers.in(Path.of("/srv/tools"), Helpers.Owner.self());

    @Test
    void every_property_is_mapped() {
        MicroVmProperties properties = bind(properties(
                "image", "/srv/image",
                "tools", "/srv/tools",
                "run-root", "/run/vms",
                "vmm", "qemu",
                "accelerator", "tcg",
                "processors", "4",
                "memory", "2GB",
                "boot-budget", "90s",
                "max-machines", "7",
                "metadata-addresses", "192.0.2.1:80",
                "warm.size", "3",
                "warm.age-limit", "1h"));

        assertThat(properties)
                .isEqualTo(new MicroVmProperties(
                        Path.of("/srv/image"),
                        Path.of("/srv/tools"),
                        Path.of("/run/vms"),
                        MicroVmProperties.Vmm.QEMU,
                        Accelerator.TCG,
                        4,
                        DataSize.ofGigabytes(2),
                        Duration.ofSeconds(90),
                        7,
                        List.of("192.0.2.1:80"),
                        new MicroVmProperties.Warm(3, Duration.ofHours(1))));
        assertThat(properties.settings(AGENT))
                .isEqualTo(MicroVmSettings.beneath(Path.of("/run/vms"))
                        .withSize(new MachineSize(4, 2048))
                        .withBootBudget(Duration.ofSeconds(90))
                        .withMachines(7));
        assertThat(properties.monitor(HELPERS))
                .isEqualTo(new QemuMonitor(
                        Path.of("/srv/tools/qemu-system-x86_64"),
                        Accelerator.TCG,
                        GuestImage.in(Path.of("/srv/image")),
                        HELPERS));
    }

    @Test
    void whatIsNotSetIsASmallMachineOfQemuBesideTheAgentsSocket() {
        MicroVmProperties properties = bind(Map.of());

        assertThat(properties.settings(AGENT).withMachines(1))
                .isEqualTo(MicroVmSettings.beneath(AGENT).withMachines(1));
        assertThat(properties.accelerator()).isEqualTo(Accelerator.KVM);
        assertThat(properties.metadataAddresses()).containsExactly("169.254.169.254:80", "fd00:ec2::254:80");
        assertThat(properties.warnings()).isEmpty();
        assertThat(properties.image()).isEqualTo(Path.of("/var/lib/carlos/guest/image"));
        assertThat(properties.tools()).isEqualTo(Path.of("/var/lib/carlos/guest/tools/bin"));
        assertThat(properties.monitor(HELPERS)).isInstanceOf(QemuMonitor.class);
        assertThat(properties.warm()).isEqualTo(new MicroVmProperties.Warm(0, Duration.ofMinutes(10)));
    }

    @Test
    void anEmulatedMachineHasMoreTimeToBoot() {
        assertThat(bind(Map.of("accelerator", "tcg")).settings(AGENT).bootBudget())
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void machinesHaveThreeQuartersOfTheBoxesMemory() {
        MicroVmProperties properties = bind(Map.of("memory", "1GB"));

        assertThat(properties.machinesIn(DataSize.ofGigabytes(16))).isEqualTo(12);
        assertThat(properties.machinesIn(DataSize.ofMegabytes(512))).isEqualTo(1);
    }

    @Test
    void whatWeakensMachinesIsWarnedOf() {
        assertThat(bind(Map.of("accelerator", "tcg", "metadata-addresses", "")).warnings())
                .satisfiesExactly(
                        tcg -> assertThat(tcg).contains("accelerator is tcg", "no boundary"),
                        metadata -> assertThat(metadata).contains("metadata-addresses is empty"));
    }

    @Test
    void cloudHypervisorNeedsNoProgramForItsVsock() {
        MicroVmProperties properties = bind(Map.of("vmm", "cloud-hypervisor"));

        assertThat(properties.monitor(HELPERS)).isInstanceOf(CloudHypervisorMonitor.class);
        assertThat(properties.needs())
                .extracting(need -> need.file().getFileName().toString())
                .containsExactly("vmlinuz", "initramfs", "root.erofs", "cloud-hypervisor", "virtiofsd", "passt", "kvm");
    }

    @Test
    void emulationNeedsNoDevice() {
        assertThat(bind(Map.of("accelerator", "tcg")).needs())
                .extracting(need -> need.file().getFileName().toString())
                .containsExactly(
                        "vmlinuz",
                        "initramfs",
                        "root.erofs",
                        "qemu-system-x86_64",
                        "virtiofsd",
                        "passt",
                        "vhost-device-vsock");
    }

    @ParameterizedTest
    @CsvSource({
        "processors, 0, set it to 1 or more",
        "memory, 255MB, set it to 256MB or more",
        "max-machines, 0, set it to 1 or more",
        "boot-budget, 0s, set a time above zero",
        "warm.size, -1, set it to 0 or more",
        "warm.age-limit, 0s, set a time above zero",
        "run-root, run/vms, set an absolute path",
        "run-root, /this/path/is/so/long/that/the/sockets/of/a/session/would/not/fit/in/an/address, up to 76 bytes",
    })
    void aValueOutOfBoundsIsNamedWithItsRemedy(String name, String value, String remedy) {
        assertThatThrownBy(() -> bind(Map.of(name, value)))
                .rootCause()
                .hasMessageContaining("carlos.agent.microvm." + name + " is ")
                .hasMessageContaining(remedy);
    }

    @Test
    void cloudHypervisorDoesNotEmulate() {
        assertThatThrownBy(() -> bind(Map.of("vmm", "cloud-hypervisor", "accelerator", "tcg")))
                .rootCause()
                .hasMessageContaining("carlos.agent.microvm.accelerator is tcg: cloud-hypervisor needs kvm");
    }

    @Test
    void warmMachinesThatLeaveNoRoomForRunsAreRefused() {
        assertThatThrownBy(() ->
                        bind(Map.of("max-machines", "2", "warm.size", "2")).settings(AGENT))
                .hasMessageContaining("carlos.agent.microvm.warm.size is 2: set it below the 2 machines");
    }

    @Test
    void anAgentsDirectoryThatIsTooLongNamesTheSettingThatHelps() {
        Path deep = Path.of("/" + "d".repeat(80));

        assertThatThrownBy(() -> bind(Map.of()).settings(deep))
                .hasMessageContaining("set carlos.agent.microvm.run-root to a path of up to 76 bytes");
    }

    private static Map<String, String> properties(String... namesAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return properties;
    }

    private static MicroVmProperties bind(Map<String, String> set) {
        Map<String, String> prefixed = new HashMap<>();
        set.forEach((name, value) -> prefixed.put(MicroVmProperties.PREFIX + "." + name, value));
        return new Binder(new MapConfigurationPropertySource(prefixed))
                .bindOrCreate(MicroVmProperties.PREFIX, MicroVmProperties.class);
    }
}

package io.carlos.deploy.units;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceBlockTest {
    static final List<String> UNITS = NamespaceBlock.UNITS;

    @ParameterizedTest
    @FieldSource("UNITS")
    void everyUnitOfATenantAndTheProbeHaveTheSameBytes(String unit) {
        assertThat(NamespaceBlock.of(UnitFile.of(unit))).isEqualTo(NamespaceBlock.of(UnitFile.of(UNITS.getFirst())));
    }

    @Test
    void noOtherUnitHasTheBlock() {
        assertThat(UnitFile.all())
                .filteredOn(unit -> unit.text().contains("# --- the namespace"))
                .extracting(UnitFile::name)
                .containsExactlyInAnyOrderElementsOf(UNITS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ProtectSystem=strict",
                "TemporaryFileSystem=/data:ro",
                "TemporaryFileSystem=/run/carlos:ro",
                "TemporaryFileSystem=/var/cache:ro",
                "TemporaryFileSystem=/var/lib:ro",
                "InaccessiblePaths=/etc/carlos",
                "TemporaryFileSystem=/run:ro",
                "BindReadOnlyPaths=-/run/systemd/resolve",
                "PrivateIPC=yes",
                "TemporaryFileSystem=/dev/shm:mode=1777,size=64M,nr_inodes=4k",
                "ProtectHome=yes",
                "PrivateTmp=disconnected",
                "PrivateDevices=yes",
                "ProtectControlGroups=yes",
                "ProtectProc=invisible",
                "ProcSubset=pid",
                "PrivatePIDs=yes",
                "RestrictNamespaces=yes",
                "NoNewPrivileges=yes",
                "CapabilityBoundingSet=",
                "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
                "IPAddressDeny=169.254.169.254/32 fd00:ec2::254/128",
                "ProtectKernelTunables=yes",
                "ProtectKernelModules=yes",
                "ProtectKernelLogs=yes",
                "ProtectClock=yes",
                "ProtectHostname=yes",
                "RemoveIPC=yes",
                "LockPersonality=yes",
                "RestrictRealtime=yes",
                "RestrictSUIDSGID=yes",
                "MemoryDenyWriteExecute=yes",
                "SystemCallArchitectures=native",
                "SystemCallFilter=~@keyring:EPERM",
            })
    void hasTheSetting(String line) {
        assertThat(NamespaceBlock.shared().hasLine(line)).as(line).isTrue();
    }

    /** Of two settings for one path systemd takes the first in an order of its own, and says nothing of the other. */
    @Test
    void noPathHasTwoSettings() {
        List<String> paths = Stream.of("TemporaryFileSystem", "InaccessiblePaths", "ReadOnlyPaths", "ReadWritePaths")
                .flatMap(key -> NamespaceBlock.shared().words(key).stream())
                .map(word -> word.replaceFirst(":.*", ""))
                .toList();

        assertThat(paths).doesNotHaveDuplicates();
    }

    /** A later line of the same key adds to a list, and overrules anything else. */
    @ParameterizedTest
    @FieldSource("UNITS")
    void nothingOutsideOfTheBlockChangesIt(String name) {
        UnitFile unit = UnitFile.of(name);
        UnitFile outside = UnitFile.parse(name, unit.text().replace(NamespaceBlock.of(unit), ""));

        assertThat(NamespaceBlock.shared().settings())
                .extracting(UnitFile.Setting::key)
                .noneMatch(outside::has);
    }
}

package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeLine.Verdict;
import io.carlos.model.files.ProbeReport;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every line of the probe's report is ok in the namespace as it is, and fails where the namespace has the one hole. */
@InsideBox
class ProbeInBox {
    private static final String UNIT = "carlos-instance-probe.service";

    private static final String TREES = """
            TemporaryFileSystem=
            TemporaryFileSystem=/data:ro
            TemporaryFileSystem=/run:ro
            TemporaryFileSystem=/run/carlos:ro
            TemporaryFileSystem=/dev/shm:mode=1777,size=64M,nr_inodes=4k
            TemporaryFileSystem=/var/cache:ro
            TemporaryFileSystem=/var/lib:ro
            """;

    /** The filters of system calls, each of which needs one. */
    private static final String NO_SYSTEM_CALL_FILTER = """
            RestrictNamespaces=no
            RestrictAddressFamilies=
            RestrictRealtime=no
            RestrictSUIDSGID=no
            MemoryDenyWriteExecute=no
            LockPersonality=no
            SystemCallArchitectures=
            SystemCallFilter=
            PrivateDevices=no
            ProtectKernelTunables=no
            ProtectKernelModules=no
            ProtectKernelLogs=no
            ProtectClock=no
            ProtectHostname=no
            """;

    /**
     * A hole, and exactly the lines that fail for it.
     *
     * @param lanes where it can be made
     */
    record Hole(String settings, Set<String> failing, Set<Lane> lanes) {
        static Hole of(String settings, String... failing) {
            return new Hole(settings, Set.of(failing), EnumSet.allOf(Lane.class));
        }

        /** For what a container never shows: it is always under a filter, and has no memory controller. */
        static Hole withOwnKernel(String settings, String... failing) {
            return new Hole(settings, Set.of(failing), EnumSet.of(Lane.QEMU));
        }

        @Override
        public String toString() {
            return failing + " for " + settings.lines().collect(Collectors.joining(" "));
        }
    }

    static final List<Hole> HOLES = List.of(
            Hole.of(without("/data:ro"), "data-tree"),
            Hole.of("BindPaths=/run/carlos/agent", "run-tree"),
            Hole.of(without("/var/lib:ro"), "var-empty"),
            Hole.of(without("/var/cache:ro"), "var-empty"),
            Hole.of("PrivatePIDs=no", "pid1", "siblings"),
            Hole.of("ProtectControlGroups=no", "cgroup-ro"),
            Hole.of("InaccessiblePaths=", "etc-carlos"),
            Hole.of(
                    "BindPaths=\n"
                            + "BindPaths=/data/.instances/_probe:/data/instances/_probe\n"
                            + "BindPaths=/run/carlos/.instances/_probe:/run/carlos/instances/_probe",
                    "symlink-eloop",
                    "nosymfollow"),
            Hole.of("IPAddressDeny=\nIPAddressDeny=fd00:ec2::254/128", "imds-v4", "imds-tcp"),
            Hole.of("IPAddressDeny=\nIPAddressDeny=169.254.169.254/32", "imds-v6"),
            Hole.of("IPAddressDeny=127.0.0.0/8", "loopback"),
            Hole.of("CapabilityBoundingSet=CAP_CHOWN", "capabilities"),
            Hole.of("NoNewPrivileges=no", "no-new-privileges"),
            Hole.of("OpenFile=/etc/hostname", "open-descriptors"),
            Hole.of(TREES.replace("/run:ro", "/run"), "system-read-only"),
            Hole.of("ProtectSystem=full", "system-read-only"),
            Hole.of("RestrictNamespaces=no", "unshare"),
            Hole.of("MemoryDenyWriteExecute=no", "rwx-memory"),
            Hole.of("PrivateDevices=no", "devices"),
            Hole.of("RestrictAddressFamilies=", "socket-families"),
            Hole.of("BindPaths=/run/carlos-control", "host-services"),
            Hole.of("BindPaths=/run/dbus", "host-services"),
            Hole.of("BindPaths=/run/systemd/private", "host-services"),
            Hole.of("BindPaths=/run/systemd/notify", "host-services"),
            // No hole for credentials: systemd covers those of others in every namespace of mounts.
            Hole.of(without("/run:ro"), "host-services", "system-read-only"),
            Hole.of("PrivateIPC=no", "ipc"),
            Hole.of(without("/dev/shm:mode=1777,size=64M,nr_inodes=4k"), "ipc"),
            Hole.of("EnvironmentFile=", "host-services", "ipc"),
            Hole.withOwnKernel(
                    "NoNewPrivileges=no\n" + NO_SYSTEM_CALL_FILTER,
                    "seccomp",
                    "no-new-privileges",
                    "unshare",
                    "rwx-memory",
                    "devices",
                    "socket-families"),
            Hole.withOwnKernel("Slice=system.slice\nMemoryMax=infinity", "memory-limit"));

    private static MetadataService metadata;

    /** The file systems of the namespace but for one. */
    private static String without(String fileSystem) {
        return TREES.replace("TemporaryFileSystem=" + fileSystem + "\n", "");
    }

    /** The control service probes as well, at times of its own. */
    @BeforeAll
    static void beAlone() throws IOException {
        Command.systemctl("stop", "carlos-instance-control.socket", "carlos-instance-control.service")
                .output();
        metadata = new MetadataService();
    }

    @AfterAll
    static void close() throws IOException {
        metadata.close();
        Command.systemctl("start", "carlos-instance-control.socket").output();
    }

    @Test
    void everyLineIsOkInTheNamespaceAsItIs() throws IOException {
        ProbeReport report = probe();

        assertThat(report.lines())
                .filteredOn(line -> line.verdict() != Verdict.OK)
                // A container has no memory controller, and the probe says so.
                .filteredOn(line -> Lane.current() == Lane.QEMU
                        || !line.check().equals("memory-limit")
                        || line.verdict() != Verdict.UNVERIFIED)
                .isEmpty();
        assertThat(report.ready()).isTrue();
    }

    @Test
    void aLimitOfItsOwnUnitAloneIsUnverified() throws IOException {
        Lane.requireOwnKernel("a container has no memory controller");
        try (DropIn _ = new DropIn(UNIT, "Slice=system.slice\n")) {
            assertThat(probe().lines())
                    .filteredOn(line -> line.check().equals("memory-limit"))
                    .extracting(ProbeLine::verdict)
                    .containsExactly(Verdict.UNVERIFIED);
        }
    }

    @ParameterizedTest
    @FieldSource("HOLES")
    void aHoleFailsItsLinesAndNoOther(Hole hole) throws IOException {
        assumeTrue(hole.lanes().contains(Lane.current()), "it takes a kernel of its own");
        try (DropIn _ = new DropIn(UNIT, hole.settings())) {
            ProbeReport report = probe();

            assertThat(report.lines())
                    .filteredOn(line -> line.verdict() == Verdict.FAIL)
                    .as("of %s", report.lines())
                    .extracting(ProbeLine::check)
                    .containsExactlyInAnyOrderElementsOf(hole.failing());
            assertThat(report.ready()).isFalse();
        }
    }

    @Test
    void everyLineHasItsHole() throws IOException {
        Set<String> withHole =
                HOLES.stream().flatMap(hole -> hole.failing().stream()).collect(Collectors.toSet());

        assertThat(probe().lines()).extracting(ProbeLine::check).containsExactlyInAnyOrderElementsOf(withHole);
    }

    private static ProbeReport probe() throws IOException {
        Command.systemctl("start", UNIT).output();
        return ProbeReport.read(Files.readAllBytes(BoxPaths.DEFAULT.probeReport()));
    }
}

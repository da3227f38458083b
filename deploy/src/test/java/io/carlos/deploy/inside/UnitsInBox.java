package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@InsideBox
class UnitsInBox {
    private static final Path DIRECTORY = Path.of("/usr/lib/systemd/system");
    private static final String OURS = "carlos[-.].*|data-instances\\.mount|run-carlos-.*\\.mount";

    static List<String> units() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(OURS))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("units")
    void systemdHasNothingToSayOfTheUnit(String unit) {
        String instance = unit.replace("@.", "@a.b.");

        // It looks at every unit that this one needs, those of Debian among them.
        assertThat(Command.of("systemd-analyze", "verify", "--man=no", "--recursive-errors=no", instance)
                        .output())
                .isEmpty();
    }

    @Test
    void systemdSeesAPlantedMistake() throws IOException {
        Path unit = Path.of("/run/systemd/system/planted.service");
        Files.writeString(unit, "[Service]\nExecStart=/bin/true\nPrivatePID=yes\n");
        try {
            assertThat(Command.of("systemd-analyze", "verify", "--man=no", "planted.service")
                            .run()
                            .text())
                    .contains("PrivatePID");
        } finally {
            Files.delete(unit);
        }
    }

    @Test
    void onlyTheSocketTheMountsAndTheEdgeAreEnabled() {
        String listed = Command.systemctl("list-unit-files", "--state=enabled", "--no-legend", "--plain")
                .output();

        assertThat(listed.lines().map(line -> line.split(" +")[0]).filter(name -> name.matches(OURS)))
                .containsExactlyInAnyOrder(
                        "carlos-instance-control.socket",
                        "carlos-edge.service",
                        "data-instances.mount",
                        "run-carlos-instances.mount",
                        "run-carlos-logs.mount",
                        // This suite.
                        "carlos-suite.service");
    }

    @ParameterizedTest
    @CsvSource({
        "/opt/carlos/live, root, root, 755",
        "/etc/carlos, root, carlos, 750",
        "/etc/carlos/probe-secret, root, carlos, 640",
        "/data, root, root, 755",
        "/data/.instances, carlos, carlos, 700",
        "/data/.instances/_probe, carlos, carlos, 700",
        "/data/instances, carlos, carlos, 700",
        "/data/instances/_probe, carlos, carlos, 700",
        "/run/carlos, root, root, 755",
        "/run/carlos/.instances, carlos, carlos-sockets, 2750",
        "/run/carlos/.instances/_probe, carlos, carlos-sockets, 2750",
        "/run/carlos/instances/_probe, carlos, carlos-sockets, 2750",
        "/run/carlos/logs, carlos, carlos, 700",
        "/run/carlos/agent, carlos, carlos, 700",
        "/run/carlos-control, root, root, 755",
        "/run/carlos-control/control.sock, carlos, carlos, 600",
    })
    void thePathHasItsOwnerAndMode(String path, String owner, String group, String mode) {
        assertThat(Command.of("stat", "--format=%U %G %a", path).output()).isEqualTo(owner + " " + group + " " + mode);
    }

    @Test
    void theFixtureOfTheProbeSaysProbe() throws IOException {
        assertThat(Path.of("/etc/carlos/probe-secret")).hasContent("probe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/data/instances", "/run/carlos/instances", "/run/carlos/logs"})
    void theMountFollowsNoLinks(String path) {
        assertThat(Command.of("findmnt", "--noheadings", "--output", "OPTIONS", path)
                        .output()
                        .split(","))
                .contains("nosymfollow");
    }

    @Test
    void theEdgeRunsAsItsUserWithTheGroupOfSockets() {
        assertThat(Command.systemctl("is-active", "carlos-edge.service").output())
                .isEqualTo("active");
        String pid = Command.systemctl("show", "--property=MainPID", "--value", "carlos-edge.service")
                .output();

        assertThat(Command.of("ps", "--no-headers", "-o", "user:20,supgrp:40", "-p", pid)
                        .output()
                        .split(" +"))
                .containsExactly("carlos", "carlos,carlos-sockets");
    }

    @Test
    void theUserItselfIsInNoFurtherGroup() {
        assertThat(Command.of("id", "--name", "--groups", "carlos").output()).isEqualTo("carlos");
    }
}

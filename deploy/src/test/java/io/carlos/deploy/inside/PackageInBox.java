package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upgrades and removes the package that this box was made with. After most others: this leaves a box without it. */
@InsideBox
@Order(Integer.MAX_VALUE - 1)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PackageInBox {
    private static final Path CONFIGURATION = Path.of("/etc/carlos/agent.yaml");
    private static final Path DATA = Path.of("/data/.instances/kept.example.com");
    private static final String EDGE = "carlos-edge.service";
    private static final String SOCKET = "carlos-instance-control.socket";
    private static final List<String> MOUNT_POINTS =
            List.of("/data/instances", "/run/carlos/instances", "/run/carlos/.instances", "/run/carlos/logs");

    // Others come before.
    private static final int UPGRADE = Integer.MAX_VALUE - 2;
    private static final int REMOVAL = Integer.MAX_VALUE - 1;
    private static final int PURGE = Integer.MAX_VALUE;

    @BeforeAll
    static void inAContainer() {
        assumeTrue(Lane.current() == Lane.NSPAWN, "a package takes minutes to make its caches in an emulated machine");
    }

    @ParameterizedTest
    @CsvSource({
        "agent-service, agent.aot",
        "cli, carlos.aot",
        "control-service, control.aot",
    })
    void theBoxHasMadeTheCacheOfTheProgram(String program, String cache) {
        assertThat(Path.of("/usr/share/carlos", program, cache)).isNotEmptyFile();
    }

    @ParameterizedTest
    @CsvSource({"/usr/bin/carlos", "/opt/carlos/carlos"})
    void theCommandLineStartsAndSaysNothingElse(String program) {
        assertThat(Command.of(program, "--version").output()).matches("carlos [0-9.]+(-SNAPSHOT)?");
    }

    @Test
    void thePackageManagerFindsWhatTheBoxDoesNotLeaveOutAsItWasInstalled() {
        assertThat(Command.of("dpkg", "--verify", "carlos-box").output().lines())
                .allMatch(line -> line.matches("missing +/usr/share/(man|doc)/.*"));
    }

    @Test
    @Order(UPGRADE)
    void anUpgradeKeepsDataAndConfigurationAndStartsTheAgentAnew() throws IOException {
        Files.createDirectories(DATA);
        Files.writeString(CONFIGURATION, "# edited\n", StandardOpenOption.APPEND);
        String before = mainProcess();

        BoxPackage.install(BoxPackage.newer("9.9"));

        assertThat(BoxPackage.installedVersion()).isEqualTo("9.9");
        awaitEdge();
        assertThat(mainProcess()).isNotEqualTo(before);
        assertThat(DATA).isDirectory();
        assertThat(CONFIGURATION).content().endsWith("# edited\n");
    }

    @Test
    @Order(REMOVAL)
    void removedItStopsEverythingAndLeavesDataAndConfiguration() throws IOException {
        Files.createDirectories(DATA);
        Tenant tenant = new Tenant("removed.example.com").with(Role.RUN, Tenant.SLOW_TO_END);
        tenant.start(Role.RUN);
        tenant.awaitFile("ready");

        BoxPackage.remove();

        assertThat(tenant.isPopulated(Role.RUN)).isFalse();
        assertThat(Command.systemctl("list-units", "--no-legend", "--plain", "--state=active", "carlos*")
                        .output())
                .isEmpty();
        assertThat(MOUNT_POINTS)
                .noneMatch(
                        path -> Command.of("mountpoint", "--quiet", path).run().status() == 0);
        assertThat(Path.of("/usr/share/carlos")).doesNotExist();
        assertThat(DATA).isDirectory();
        assertThat(CONFIGURATION).exists();
    }

    @Test
    @Order(PURGE)
    void purgedItLeavesTheDataAlone() throws IOException {
        Files.createDirectories(DATA);
        Files.createDirectories(Path.of("/var/lib/carlos/store"));

        String said = BoxPackage.purge();

        assertThat(said).contains("/data/.instances");
        assertThat(DATA).isDirectory();
        assertThat(CONFIGURATION.getParent()).doesNotExist();
        assertThat(Path.of("/var/lib/carlos")).doesNotExist();
    }

    private static void awaitEdge() {
        Await.until("the edge and the socket are active", () -> isActive(EDGE) && isActive(SOCKET));
    }

    private static boolean isActive(String unit) {
        return Command.systemctl("is-active", "--quiet", unit).run().status() == 0;
    }

    private static String mainProcess() {
        return Command.systemctl("show", "--property=MainPID", "--value", EDGE).output();
    }
}

package io.carlos.deploy.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.carlos.deploy.packaging.DebianPackage.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Without the native program there is no package, and with {@code CARLOS_REQUIRE_NATIVE=1} in the environment that is a failure. */
class PackageIT {
    private static final String REQUIRE_VARIABLE = "CARLOS_REQUIRE_NATIVE";

    private static DebianPackage built;

    @BeforeAll
    static void read() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(Path.of("target"))) {
            files = found.filter(file -> file.toString().endsWith("_amd64.deb")).toList();
        }
        if (files.isEmpty()) {
            String reason = "no package was built; install gcc and build again";
            if ("1".equals(System.getenv(REQUIRE_VARIABLE))) {
                fail("%s is set, but %s", REQUIRE_VARIABLE, reason);
            }
            System.out.println("skipped: the tests of the package: " + reason);
            Assumptions.abort(reason);
        }
        assertThat(files)
                .as("packages of one build; remove those of earlier ones")
                .hasSize(1);
        built = DebianPackage.read(files.getFirst());
    }

    @ParameterizedTest
    @CsvSource({
        "systemd, /usr/lib/systemd/system",
        "sysctl, /usr/lib/sysctl.d",
        "sysusers, /usr/lib/sysusers.d",
        "tmpfiles, /usr/lib/tmpfiles.d",
        "etc, /usr/share/carlos",
    })
    void everyFileIsInItAsItIs(String directory, String installed) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(directory))) {
            assertThat(files).isNotEmpty().allSatisfy(file -> {
                Entry entry = built.entry(installed + "/" + file.getFileName());
                assertThat(entry.content()).isEqualTo(Files.readAllBytes(file));
                assertThat(entry.mode()).isEqualTo(0644);
            });
        }
    }

    @Test
    void everyScriptIsInItAndCanBeExecuted() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("bin"))) {
            assertThat(files).isNotEmpty().allSatisfy(file -> {
                Entry entry = built.entry("/usr/share/carlos/bin/" + file.getFileName());
                assertThat(entry.content()).isEqualTo(Files.readAllBytes(file));
                assertThat(entry.mode()).isEqualTo(0755);
            });
        }
    }

    @Test
    void theNativeProgramCanBeExecuted() {
        assertThat(built.entry("/opt/carlos/carlos").mode()).isEqualTo(0755);
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent-service", "cli", "control-service"})
    void theProgramHasItsOptionsItsJarAndItsLibraries(String program) {
        String directory = "/usr/share/carlos/" + program + "/";

        assertThat(built.entries())
                .extracting(Entry::path)
                .contains(directory + "jvm.options")
                .anyMatch(path -> path.matches(directory + "[^/]*\\.jar"))
                .anyMatch(path -> path.matches(directory + "lib/shared-model-.*\\.jar"));
    }

    @Test
    void noCacheIsInItThatABoxCouldNotUse() {
        assertThat(built.entries()).extracting(Entry::path).noneMatch(path -> path.endsWith(".aot"));
    }

    @Test
    void everythingBelongsToRoot() {
        assertThat(built.entries())
                .isNotEmpty()
                .allMatch(entry -> entry.user().equals("root") && entry.group().equals("root"));
    }

    @Test
    void nobodyButRootMayWriteAndNothingChangesItsUser() {
        assertThat(built.entries()).filteredOn(entry -> !entry.isLink()).allMatch(entry -> (entry.mode() & 07022) == 0);
    }

    @Test
    void everythingIsAFileADirectoryOrALink() {
        assertThat(built.entries()).allMatch(entry -> entry.isFile() || entry.isDirectory() || entry.isLink());
    }

    @Test
    void nothingIsBesideItsOwnDirectories() {
        assertThat(built.entries())
                .filteredOn(entry -> !entry.isDirectory())
                .extracting(Entry::path)
                .allMatch(path -> path.matches("/opt/carlos/carlos"
                        + "|/usr/share/carlos/.*"
                        + "|/usr/bin/carlos"
                        + "|/usr/lib/systemd/system/[^/]*"
                        + "|/usr/lib/(sysusers|tmpfiles)\\.d/carlos\\.conf"
                        + "|/usr/lib/sysctl\\.d/60-carlos\\.conf"
                        + "|/usr/share/man/man[1-8]/carlos[^/]*\\.gz"
                        + "|/usr/share/(bash-completion/completions|zsh/vendor-completions|fish/vendor_completions\\.d)/.*"
                        + "|/usr/share/doc/carlos-box/.*"));
    }

    /** An upgrade without anybody who answers would stop at a file that was edited. */
    @Test
    void thePackageManagerHasNoConfigurationToAskAbout() {
        assertThat(built.entries())
                .filteredOn(entry -> entry.isFile() && entry.path().startsWith("/etc/"))
                .isEmpty();
        assertThat(built.control()).doesNotContainKey("/conffiles");
        assertThat(built.entry("/usr/share/carlos/agent.yaml").isFile()).isTrue();
    }

    @Test
    void theConfigurationIsClosedUntilItHasItsGroup() {
        assertThat(built.entry("/etc/carlos").mode()).isEqualTo(0750);
    }

    @Test
    void theCommandLineIsOnThePath() {
        assertThat(built.entry("/usr/bin/carlos").target()).isEqualTo("../share/carlos/bin/carlos");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/postinst", "/prerm", "/postrm"})
    void theScriptOfThePackageManagerCanBeExecuted(String script) {
        assertThat(built.control().get(script).mode()).isEqualTo(0755);
    }

    @Test
    void aSnapshotIsOlderThanItsRelease() {
        assertThat(built.control().get("/control").text()).containsPattern("(?m)^Version: [0-9.]+(~SNAPSHOT)?$");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void theCompletionKnowsTheCommands(String shell) {
        String path = switch (shell) {
            case "bash" -> "/usr/share/bash-completion/completions/carlos";
            case "zsh" -> "/usr/share/zsh/vendor-completions/_carlos";
            default -> "/usr/share/fish/vendor_completions.d/carlos.fish";
        };

        assertThat(built.entry(path).text()).contains("instances");
    }
}

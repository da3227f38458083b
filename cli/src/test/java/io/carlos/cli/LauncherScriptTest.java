package io.carlos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code cli/carlos} in a checkout of its own, with a build that notes its calls and a JVM that prints its arguments. */
class LauncherScriptTest {
    @TempDir
    Path directory;

    private Path checkout;

    @FunctionalInterface
    private interface Condition {
        boolean holds() throws Exception;
    }

    private record Outcome(int exitCode, String out, String err) {}

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = Files.createDirectories(directory.resolve("a checkout"));
        copy(Path.of("carlos"), "cli/carlos");
        copy(Path.of("../.mvn/find-jdk.sh"), ".mvn/find-jdk.sh");
        for (String module : List.of("shared-model", "agent-service", "cli")) {
            write(module + "/pom.xml", "");
            write(module + "/src/main/java/Some.java", "");
        }
        write("pom.xml", "");
        executable("mvnw", """
                echo "$@" >>builds
                mkdir -p cli/target/app
                touch cli/target/app/carlos.aot
                echo to-stdout
                """);
        write("jdk/release", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"27.0.1\"\n");
        executable("jdk/bin/javac", "");
        executable("jdk/bin/java", "pwd\nprintf '[%s]\\n' \"$@\"\n");
    }

    @Test
    void firstUseBuildsAndThenRuns() throws Exception {
        Outcome outcome = run("--version");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).isEqualTo("carlos: building (first use, a few minutes)…\n");
        assertThat(outcome.out()).endsWith("[-jar]\n[" + checkout + "/cli/target/app/carlos.jar]\n[--version]\n");
        assertThat(builds()).containsExactly("-q -B -DskipTests -pl cli -am package");
    }

    @Test
    void argumentsReachTheJvmAsTheyAre() throws Exception {
        assertThat(run("", "a  b", "'\"\\", "$HOME", "*", "--", "@file", "ä\n").out())
                .endsWith("/carlos.jar]\n[]\n[a  b]\n['\"\\]\n[$HOME]\n[*]\n[--]\n[@file]\n[ä\n]\n");
    }

    @Test
    void directoryOfTheUserIsKept() throws Exception {
        assertThat(run().out()).startsWith(directory + "\n");
    }

    @Test
    void secondUseDoesNotBuild() throws Exception {
        run();

        assertThat(run().err()).isEmpty();
        assertThat(builds()).hasSize(1);
    }

    @Test
    void changedSourceIsBuiltOnce() throws Exception {
        run();
        touchLater("agent-service/src/main/java/Some.java");

        assertThat(run().err()).isEqualTo("carlos: building (its sources have changed)…\n");
        assertThat(builds()).hasSize(2);
    }

    @Test
    void sourceOfAModuleThatCarlosIsNotMadeOfIsIgnored() throws Exception {
        run();
        write("control-service/src/main/java/Some.java", "");
        touchLater("control-service/src/main/java/Some.java");

        assertThat(run().err()).isEmpty();
    }

    @Test
    void sourceThatChangesDuringTheBuildIsBuiltAtTheNextUse() throws Exception {
        executable("mvnw", """
                mkdir -p cli/target/app
                until [ cli/target/changed -nt cli/target/build-began-* ]; do touch cli/target/changed; done
                touch cli/src/main/java/Some.java cli/target/app/carlos.aot
                """);
        run();

        assertThat(run().err()).contains("its sources have changed");
    }

    @Test
    void failedBuildShowsItsLogAndRunsNothing() throws Exception {
        executable("mvnw", "echo 'cannot find symbol'\nexit 1\n");

        Outcome outcome = run("--version");

        assertThat(outcome.exitCode()).isEqualTo(69);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .contains("cannot find symbol\ncarlos: the build failed")
                .contains(checkout + "/cli/target/build.log");
    }

    @Test
    void usesAtTheSameTimeBuildOnce() throws Exception {
        executable("mvnw", """
                echo "$@" >>builds
                read -r _ <go
                mkdir -p cli/target/app
                touch cli/target/app/carlos.aot
                """);
        assertThat(new ProcessBuilder("mkfifo", checkout.resolve("go").toString())
                        .start()
                        .waitFor())
                .isZero();
        Path err = directory.resolve("err");
        List<Process> uses = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                uses.add(start(
                        new ProcessBuilder(script()).redirectError(ProcessBuilder.Redirect.appendTo(err.toFile()))));
            }
            await(() -> lines(err)
                            .filter("carlos: waiting for another build of it"::equals)
                            .count()
                    == 3);
            Files.writeString(checkout.resolve("go"), "\n");
            for (Process use : uses) {
                assertThat(use.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(use.exitValue()).isZero();
            }
        } finally {
            uses.forEach(Process::destroy);
        }
        assertThat(builds()).hasSize(1);
    }

    @Test
    void buildCanBeForbidden() throws Exception {
        Outcome unbuilt = outcome(start(noBuild()));
        run();
        touchLater("cli/pom.xml");

        assertThat(unbuilt.exitCode()).isEqualTo(69);
        assertThat(unbuilt.err()).startsWith("carlos: not built yet");
        assertThat(outcome(start(noBuild())).exitCode()).isZero();
        assertThat(builds()).hasSize(1);
    }

    @Test
    void linkToTheScriptWorksFromAnywhere() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("carlos-link"), checkout.resolve("cli/carlos"));

        Outcome outcome = outcome(start(new ProcessBuilder(link.toString(), "x")));

        assertThat(outcome.out()).endsWith("[" + checkout + "/cli/target/app/carlos.jar]\n[x]\n");
    }

    private ProcessBuilder noBuild() {
        ProcessBuilder builder = new ProcessBuilder(script());
        builder.environment().put("CARLOS_NO_BUILD", "1");
        return builder;
    }

    private Outcome run(String... arguments) throws Exception {
        return outcome(start(new ProcessBuilder(
                Stream.concat(Stream.of(script()), Stream.of(arguments)).toList())));
    }

    private String script() {
        return checkout.resolve("cli/carlos").toString();
    }

    private Process start(ProcessBuilder builder) throws IOException {
        builder.environment().put("JAVA_HOME", checkout.resolve("jdk").toString());
        builder.environment().putIfAbsent("CARLOS_NO_BUILD", "");
        return builder.directory(directory.toFile()).start();
    }

    private static Outcome outcome(Process process) throws Exception {
        // Neither stream is near the size of a pipe, so that they can be read one after the other.
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), out, err);
    }

    private static void await(Condition condition) throws Exception {
        Instant deadline = Instant.now().plusSeconds(60);
        while (!condition.holds()) {
            assertThat(Instant.now()).isBefore(deadline);
            Thread.onSpinWait();
        }
    }

    private static Stream<String> lines(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file).stream() : Stream.of();
    }

    private List<String> builds() throws IOException {
        return Files.readAllLines(checkout.resolve("builds"));
    }

    private void write(String file, String content) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private void executable(String file, String script) throws IOException {
        write(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(checkout.resolve(file), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void copy(Path source, String file) throws IOException {
        write(file, Files.readString(source));
        Files.setPosixFilePermissions(checkout.resolve(file), Files.getPosixFilePermissions(source));
    }

    private void touchLater(String file) throws IOException {
        Files.setLastModifiedTime(
                checkout.resolve(file), FileTime.from(Instant.now().plusSeconds(60)));
    }
}

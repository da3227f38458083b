package io.carlos.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** carlos as it is packaged, started as a user starts it. */
class CarlosScriptIT {
    private static final Path SCRIPT = Path.of("carlos").toAbsolutePath();

    @TempDir
    Path directory;

    private record Outcome(int exitCode, String out, String err) {}

    @Test
    void helpGoesToStdout() throws Exception {
        Outcome outcome = carlos("--help");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("Usage: carlos COMMAND").contains("completion");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void versionIsThatOfTheBuild() throws Exception {
        assertThat(carlos("--version").out()).matches("carlos \\d\\S+\n");
    }

    @Test
    void unknownCommandIsOneSentenceAndExit64() throws Exception {
        assertThat(carlos("frobnicate", "--all"))
                .isEqualTo(new Outcome(
                        64,
                        "",
                        "carlos: there is no command \"frobnicate\"; see \"carlos help\" for those there are\n"));
    }

    @Test
    void noArgumentsAndNoTerminalAreHelpOnStderrAndExit64() throws Exception {
        Outcome outcome = carlos();

        assertThat(outcome.exitCode()).isEqualTo(64);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("Usage: carlos COMMAND");
    }

    @Test
    void argumentsAreUtf8WhateverTheLocale() throws Exception {
        assertThat(shell("LC_ALL=C carlos 'ä €'").err()).contains("\"ä €\"");
    }

    @Test
    void argumentThatIsNotUtf8IsRefused() throws Exception {
        Outcome outcome = shell("carlos version \"$(printf '\\377')\"");

        assertThat(outcome.exitCode()).isEqualTo(64);
        assertThat(outcome.err()).contains("is not UTF-8");
    }

    @Test
    void goneReaderEndsItWithoutAWord() throws Exception {
        // When the reader has ended, the pipe has no other end.
        assertThat(shell("exec 3> >(exec true); wait $!; carlos --help >&3")).isEqualTo(new Outcome(141, "", ""));
    }

    @Test
    void fullDiskIsTold() throws Exception {
        Outcome outcome = shell("carlos --help >/dev/full");

        assertThat(outcome.exitCode()).isEqualTo(74);
        assertThat(outcome.err())
                .startsWith("carlos: stdout cannot be written: ")
                .hasLineCount(1);
    }

    @Test
    void settingsOfOtherSpringApplicationsAreNotItsOwn() throws Exception {
        Files.writeString(directory.resolve("application.properties"), "spring.main.web-application-type=nonsense\n");

        assertThat(shell("SPRING_MAIN_BANNER_MODE=nonsense DEBUG=true carlos --version")
                        .exitCode())
                .isZero();
    }

    @Test
    void terminalWithoutArgumentsIsTheInteractiveShell() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script(1) is not installed");

        Outcome outcome = shell("printf 'version\\nexit\\n' | script -qec carlos /dev/null");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).containsPattern("carlos \\d\\S+");
        assertThat(directory.resolve("state/carlos/history")).content().contains("version");
    }

    private Outcome carlos(String... arguments) throws Exception {
        return run(Stream.concat(Stream.of(SCRIPT.toString()), Stream.of(arguments))
                .toList());
    }

    private Outcome shell(String line) throws Exception {
        return run(List.of("bash", "-c", line));
    }

    private Outcome run(List<String> command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().put("CARLOS_NO_BUILD", "1");
        builder.environment().put("PATH", SCRIPT.getParent() + ":" + System.getenv("PATH"));
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        process.getOutputStream().close();
        return new Outcome(process.waitFor(), read(out), read(err));
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}

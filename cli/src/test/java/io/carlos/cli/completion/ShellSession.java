package io.carlos.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real shell that runs scripts in a directory. */
final class ShellSession {
    private final List<String> shell;
    private final Path directory;

    ShellSession(Path directory, String... shell) {
        this.shell = List.of(shell);
        this.directory = directory;
    }

    /** Skips the test when the shell is not installed. */
    ShellSession assumeInstalled() {
        String program = shell.getFirst();
        boolean installed = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
        Assumptions.assumeTrue(installed, program + " is not installed");
        return this;
    }

    /** The lines it prints, stderr among them; it must end well. */
    List<String> run(String script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Stream.concat(shell.stream(), Stream.of("-c", script)).toList())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }
}

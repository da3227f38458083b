package io.carlos.cli;

import java.util.List;
import org.springframework.boot.SpringApplication;

/** Executes a few commands in one process, for the build to see which classes a start of carlos needs and to keep them ready. */
final class TrainingRun {
    private static final List<List<String>> COMMAND_LINES = List.of(
            List.of("--help"),
            List.of("help", "completion"),
            List.of("completion", "bash"),
            List.of("no-such-command"));

    private TrainingRun() {}

    public static void main(String[] args) {
        COMMAND_LINES.forEach(
                argv -> SpringApplication.exit(CarlosCli.application().run(argv.toArray(String[]::new))));
    }
}

package io.carlos.cli;

import java.util.List;
import org.springframework.boot.SpringApplication;

/** Executes a few commands in one process, for the build to see which classes a start of carlos needs and to keep them ready. */
final class TrainingRun {
    private TrainingRun() {}

    /** @param args the directory for the store of a run on this machine; it is made when it is not there */
    public static void main(String[] args) {
        List<List<String>> commandLines = List.of(
                List.of("--help"),
                List.of("help", "completion"),
                List.of("completion", "bash"),
                List.of("no-such-command"),
                List.of("local", "run", "--store", args[0], "--", "true"));
        commandLines.forEach(
                argv -> SpringApplication.exit(CarlosCli.application().run(argv.toArray(String[]::new))));
    }
}

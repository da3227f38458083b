package io.carlos.cli.argv;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.SampleCommands;
import io.carlos.cli.console.RecordingConsole;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.shell.core.command.CommandRegistry;

class CommandLineTest {
    private final RecordingConsole console = new RecordingConsole();

    @Test
    void exitCodeIsTheCommandsOwn() {
        assertThat(execute(new SampleCommands(() -> 137), "run", "--host", "h")).isEqualTo(137);
        assertThat(console.errText()).isEmpty();
    }

    @Test
    void commandWithoutAnExitCodeEndsWithZero() {
        assertThat(execute(new SampleCommands(() -> 137), "runs", "list")).isZero();
    }

    @Test
    void usageErrorIsOneSentenceAndExit64() {
        assertThat(execute(new SampleCommands(), "run")).isEqualTo(64);
        assertThat(console.errText()).isEqualTo("carlos: --host is missing; give it as --host HOST\n");
        assertThat(console.outText()).isEmpty();
    }

    @Test
    void failureOfACommandIsItsSentenceAndItsExitCode() {
        SampleCommands commands = new SampleCommands(() -> {
            throw new CliException(CliExit.REFUSED, "app \"a\" has no instance\nhere");
        });

        assertThat(execute(commands, "run", "--host", "h")).isEqualTo(76);
        assertThat(console.errText()).isEqualTo("carlos: app \"a\" has no instance\\nhere\n");
    }

    @Test
    void verboseAddsTheCause() {
        SampleCommands commands = new SampleCommands(() -> {
            throw new CliException(CliExit.UNAVAILABLE, "no store", new IllegalStateException("refused by peer"));
        });

        execute(commands, "run", "--host", "h", "--verbose");

        assertThat(console.errText())
                .startsWith("carlos: no store\njava.lang.IllegalStateException: refused by peer\n\tat ")
                .contains("CommandLineTest");
    }

    @Test
    void defectIsExit70WithoutAStack() {
        SampleCommands commands = new SampleCommands(() -> {
            throw new IllegalStateException("surprise");
        });

        assertThat(execute(commands, "run", "--host", "h")).isEqualTo(70);
        assertThat(console.errText())
                .isEqualTo("carlos: this is a defect of carlos: IllegalStateException: surprise;"
                        + " run it again with --verbose to see where, and report that\n");
    }

    @Test
    void noCommandIsHelpOnStderrAndExit64() {
        assertThat(execute(new SampleCommands())).isEqualTo(64);
        assertThat(console.errText()).contains("Usage: carlos COMMAND");
        assertThat(console.outText()).isEmpty();
    }

    @Test
    void helpListsEveryCommandButTheHiddenOnes() {
        assertThat(execute(new SampleCommands(), "--help")).isZero();
        assertThat(console.outText())
                .contains("  run ", "  runs list", "  runs show", "  vm exec")
                .doesNotContain("secret");
    }

    @Test
    void helpOfCommonWordsListsWhatFollowsThem() {
        assertThat(execute(new SampleCommands(), "runs", "--help")).isZero();
        assertThat(console.outText())
                .contains("  runs list  List runs\n  runs show  Show a run\n")
                .doesNotContain("vm exec");
    }

    @Test
    void versionIsOneLine() {
        assertThat(execute(new SampleCommands(), "--version")).isZero();
        assertThat(console.outText()).matches("carlos \\S+\n");
    }

    private int execute(SampleCommands commands, String... argv) {
        CommandRegistry registry = commands.registry();
        return new CommandLine(registry, new CommandTree(registry), console).execute(List.of(argv));
    }
}

package io.carlos.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.argv.ArgvParser;
import io.carlos.cli.argv.Invocation;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.springframework.shell.core.InputReader;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.CommandRegistry;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

class AnnotatedCommandTest {
    private static final String RUN_ID = "run_abcdefghijklmnopqrstuvwxyz";

    private SampleCommands commands = new SampleCommands();

    @Test
    void valuesOfAllKindsReachTheirParameters() throws Exception {
        execute(
                "run",
                "--host",
                "h",
                "--file",
                "a,b",
                "--file",
                "c",
                "--timeout",
                "90s",
                "-d",
                "--output=json",
                "--",
                "x",
                "");

        assertThat(commands.calls())
                .containsExactly(List.of(
                        "h",
                        List.of(Path.of("a,b"), Path.of("c")),
                        Duration.ofSeconds(90),
                        true,
                        OutputFormat.JSON,
                        List.of("x", "")));
    }

    @Test
    void absentOptionsHaveTheirDefaults() throws Exception {
        execute("run", "--host", "h");

        assertThat(commands.calls())
                .containsExactly(List.of("h", List.of(), Duration.ofMinutes(10), false, OutputFormat.TABLE, List.of()));
    }

    @Test
    void primitiveHasItsDefaultAndOptionalIsEmpty() throws Exception {
        execute("runs", "list");
        execute("runs", "list", "--limit=3", "--app", "a");

        assertThat(commands.calls())
                .containsExactly(List.of(Optional.empty(), 20, "runs"), List.of(Optional.of("a"), 3, "runs"));
    }

    @Test
    void argumentIsReadByItsType() throws Exception {
        execute("runs", "show", RUN_ID, "--from", "7");

        assertThat(commands.calls()).containsExactly(List.of(RunId.of(RUN_ID), 7L));
    }

    @Test
    void optionWithoutADefaultIsNull() throws Exception {
        execute("runs", "show", RUN_ID);

        assertThat(commands.calls().getFirst().get(1)).isNull();
    }

    @Test
    void remainingArgumentsFollowThoseWithAPlace() throws Exception {
        execute("vm", "exec", "-it", "m", "ls", "--", "-l", "/");
        execute("vm", "exec", "m");

        assertThat(commands.calls())
                .containsExactly(
                        List.of(true, true, "root", "m", "ls", List.of("-l", "/")),
                        List.of(false, false, "root", "m", "sh", List.of()));
    }

    @Test
    void missingArgumentIsNamedWithTheUsage() {
        assertUsage("runs", "show")
                .hasMessage(
                        "\"runs show\" needs the argument RUN-ID; write it as in \"carlos runs show [--from FROM] RUN-ID\"");
    }

    @Test
    void tooManyArgumentsAreCounted() {
        assertUsage("runs", "show", RUN_ID, "x")
                .hasMessage("\"runs show\" takes only 1 argument but got 2; quote an argument that has blanks");
        assertUsage("runs", "list", "x").hasMessageStartingWith("\"runs list\" takes no arguments but got 1");
    }

    @Test
    void valueOfTheWrongKindIsToldWithItsOption() {
        assertUsage("run", "--host=h", "--timeout=10")
                .hasMessage("--timeout: \"10\" is not a number and a unit, such as 250ms, 90s, 10m or 2h");
        assertUsage("runs", "show", "x").hasMessageStartingWith("RUN-ID: not a run id: \"x\"");
    }

    @Test
    void optionForOneValueIsNotTakenTwice() {
        assertUsage("run", "--host", "a", "--host", "b").hasMessage("--host was given 2 times; give it once");
    }

    @Test
    void exceptionOfTheMethodIsThrownAsItIs() {
        commands = new SampleCommands(() -> {
            throw new IOException("disk");
        });

        assertThatThrownBy(() -> execute("runs", "list"))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("disk");
    }

    @Test
    void methodWhoseParameterCannotComeFromWordsIsNoCommand() {
        assertNoCommand(new Object() {
                    @Command(name = "x", description = "x")
                    void x(@Option Thread thread) {}
                })
                .hasMessageContaining("parameter thread: java.lang.Thread cannot be read off a command line");
    }

    @Test
    void primitiveThatMayBeAbsentIsNoParameter() {
        assertNoCommand(new Object() {
                    @Command(name = "x", description = "x")
                    void x(@Option int count) {}
                })
                .hasMessageContaining("a int cannot be absent");
    }

    @Test
    void defaultThatIsNoValueIsNoDefault() {
        assertNoCommand(new Object() {
                    @Command(name = "x", description = "x")
                    void x(@Option(defaultValue = "ten") int count) {}
                })
                .hasMessageContaining("--count: \"ten\" is not a whole number");
    }

    @Test
    void optionOfEveryCommandCannotBeDeclaredAgain() {
        assertNoCommand(new Object() {
                    @Command(name = "x", description = "x")
                    void x(@Option(shortName = 'h') String host) {}
                })
                .hasMessageContaining("-h, --help and --verbose are options of every command");
    }

    @Test
    void parameterWithoutAnAnnotationIsNoParameter() {
        assertNoCommand(new Object() {
                    @Command(name = "x", description = "x")
                    void x(String text) {}
                })
                .hasMessageContaining("annotate it");
    }

    @Test
    void listOfOneArgumentIsNoParameter() {
        assertNoCommand(new Object() {
                    @Command(name = "x", description = "x")
                    void x(@Argument(index = 0) List<String> texts) {}
                })
                .hasMessageContaining("use @Arguments");
    }

    @Test
    void methodThatReturnsSomethingElseThanAnExitCodeIsNoCommand() {
        assertNoCommand(new Object() {
                    @Command(name = "x", description = "x")
                    String x() {
                        return "";
                    }
                })
                .hasMessageContaining("returns nothing or its exit code");
    }

    private AbstractThrowableAssert<?, ?> assertUsage(String... argv) {
        return assertThatThrownBy(() -> execute(argv))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exit()).isEqualTo(CliExit.USAGE));
    }

    private static AbstractThrowableAssert<?, ?> assertNoCommand(Object group) {
        return assertThatThrownBy(() -> SampleCommands.registryOf(group)).isInstanceOf(IllegalStateException.class);
    }

    private void execute(String... argv) throws Exception {
        CommandRegistry registry = commands.registry();
        Invocation.Execute execute =
                (Invocation.Execute) new ArgvParser(new CommandTree(registry)).parse(List.of(argv));
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        execute.command().execute(new CommandContext(execute.input(), registry, nowhere, new InputReader() {}));
    }
}

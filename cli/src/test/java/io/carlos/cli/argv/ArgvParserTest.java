package io.carlos.cli.argv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.SampleCommands;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.shell.core.command.CommandArgument;
import org.springframework.shell.core.command.ParsedInput;

class ArgvParserTest {
    private final ArgvParser parser = new ArgvParser(new CommandTree(new SampleCommands().registry()));

    @Test
    void wordsAfterTheDashesAreArgumentsAsTheyAre() {
        ParsedInput input = execute("run", "--host", "h", "--", "", "a b", "\"q'", "--host", "-d", "--", "--help")
                .input();

        assertThat(arguments(input)).containsExactly("", "a b", "\"q'", "--host", "-d", "--", "--help");
        assertThat(options(input)).containsExactly("host=h");
    }

    @Test
    void argumentsMayStandBetweenOptions() {
        ParsedInput input = execute("run", "ls", "-d", "dir", "-H", "h", "-").input();

        assertThat(arguments(input)).containsExactly("ls", "dir", "-");
        assertThat(options(input)).containsExactly("detach=true", "host=h");
    }

    @Test
    void repeatedOptionIsKeptInOrder() {
        assertThat(options(
                        execute("run", "--file", "B", "--file=A", "--file", "B").input()))
                .containsExactly("file=B", "file=A", "file=B");
    }

    @Test
    void valueAfterTheEqualsSignIsTakenWhole() {
        assertThat(options(execute("run", "--host=a=b", "--timeout=", "--file=--", "-H=c", "-Hd")
                        .input()))
                .containsExactly("host=a=b", "timeout=", "file=--", "host=c", "host=d");
    }

    @Test
    void emptyWordIsAValue() {
        assertThat(options(execute("run", "--host", "").input())).containsExactly("host=");
    }

    @Test
    void valueMayBeginWithADashWhenItIsNoOptionOfTheCommand() {
        assertThat(options(execute("run", "--host", "-5", "--file", "--other").input()))
                .containsExactly("host=-5", "file=--other");
    }

    @Test
    void flagsMayShareADash() {
        assertThat(options(execute("vm", "exec", "-itu", "me", "m").input()))
                .containsExactly("interactive=true", "tty=true", "user=me");
    }

    @Test
    void valueMayFollowInTheWordOfItsFlags() {
        assertThat(options(execute("vm", "exec", "-tume").input())).containsExactly("tty=true", "user=me");
    }

    @Test
    void commandNameWithTwoWordsBecomesCommandAndSubcommand() {
        ParsedInput input = execute("runs", "list").input();

        assertThat(input.commandName()).isEqualTo("runs");
        assertThat(input.subCommands()).containsExactly("list");
    }

    @Test
    void aliasLeadsToItsCommand() {
        assertThat(execute("runs", "ls").command().getName()).isEqualTo("runs list");
    }

    @Test
    void hiddenCommandCanBeExecuted() {
        assertThat(execute("secret").command().getName()).isEqualTo("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--verbose runs list",
                "runs --verbose list",
                "runs list --verbose",
                "runs list --app x --verbose"
            })
    void verboseMayStandAnywhere(String line) {
        assertThat(parser.parse(List.of(line.split(" "))).verbose()).isTrue();
    }

    @Test
    void verboseOfTheUsersOwnCommandIsNotOurs() {
        assertThat(execute("run", "--host", "h", "--", "--verbose").verbose()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help run", "run --help", "run -h", "run --host h -h", "run -dh"})
    void helpOfACommandNeedsNothingElse(String line) {
        assertThat(parser.parse(List.of(line.split(" "))))
                .isInstanceOfSatisfying(
                        Invocation.Help.class,
                        help -> assertThat(help.topic().name()).isEqualTo("run"));
    }

    @Test
    void helpOfCommonWords() {
        assertThat(parser.parse(List.of("runs", "--help")))
                .isInstanceOfSatisfying(
                        Invocation.Help.class,
                        help -> assertThat(help.topic().name()).isEqualTo("runs"));
    }

    @Test
    void versionStandsAlone() {
        assertThat(parser.parse(List.of("--version"))).isEqualTo(new Invocation.Version(false));
        assertUsage("--version", "run").hasMessageContaining("--version");
    }

    @Test
    void noWordsAreNothing() {
        assertThat(parser.parse(List.of())).isEqualTo(new Invocation.Nothing(false));
        assertThat(parser.parse(List.of("--verbose"))).isEqualTo(new Invocation.Nothing(true));
    }

    @Test
    void unknownCommandIsToldWithWhatWasMeant() {
        assertUsage("rnu", "x")
                .hasMessage(
                        "there is no command \"rnu\" (did you mean \"run\"?); see \"carlos help\" for those there are");
        assertUsage("runs", "lits")
                .hasMessage(
                        "there is no command \"runs lits\" (did you mean \"list\"?); see \"carlos help runs\" for those there are");
    }

    @Test
    void unknownCommandThatIsLikeNoneIsToldWithoutAGuess() {
        assertUsage("deploy").hasMessage("there is no command \"deploy\"; see \"carlos help\" for those there are");
        assertUsage("").hasMessage("there is no command \"\"; see \"carlos help\" for those there are");
    }

    @Test
    void hiddenCommandIsNoGuess() {
        assertUsage("secre").hasMessageNotContaining("did you mean");
    }

    @Test
    void commonWordsAloneAreNoCommand() {
        assertUsage("runs").hasMessage("\"runs\" is not a whole command; go on with one of list, ls, show");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--hots", "--hots=h", "-x", "-dx", "---", "--hos"})
    void unknownOptionIsNamed(String word) {
        assertUsage("run", word, "--host", "h")
                .hasMessageContaining(
                        "\"run\" has no option \"" + word.replace("=h", "").replace("-dx", "-x in -dx") + "\"");
    }

    @Test
    void optionBeforeTheCommandIsMisplaced() {
        assertUsage("--host", "h", "run").hasMessageContaining("\"--host\" stands before a command");
    }

    @Test
    void controlCharactersOfAWordAreNotRepeatedToTheTerminal() {
        assertUsage("\033[2J").hasMessageContaining("\\u001b[2J").hasMessageNotContaining("\033");
    }

    @Test
    void optionAtTheEndHasNoValue() {
        assertUsage("run", "--host").hasMessage("the option --host needs a value; write it as the next word");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--", "-d", "--detach", "--output=json", "--help", "-h", "--verbose"})
    void anotherOptionIsNotTakenForAForgottenValue(String next) {
        assertUsage("run", "--host", next)
                .hasMessage(
                        "the option --host needs a value; write it as the next word, or as --host=VALUE if it begins with a dash");
    }

    private Invocation.Execute execute(String... argv) {
        return (Invocation.Execute) parser.parse(List.of(argv));
    }

    private AbstractThrowableAssert<?, ?> assertUsage(String... argv) {
        return assertThatThrownBy(() -> parser.parse(List.of(argv)))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exit()).isEqualTo(CliExit.USAGE));
    }

    private static List<String> options(ParsedInput input) {
        return input.options().stream()
                .map(option -> option.longName() + "=" + option.value())
                .toList();
    }

    private static List<String> arguments(ParsedInput input) {
        return input.arguments().stream().map(CommandArgument::value).toList();
    }
}

package io.carlos.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.SampleCommands;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script as zsh runs it, with functions in place of the builtins that only work inside its line editor. */
class ZshCompletionTest {
    private static final String EDITOR = """
            compdef() { :; }
            _describe() { print -l -- "${(@P)@[-1]}"; }
            compadd() { shift; print -l -- "$@"; }
            compset() { :; }
            _files() { print '<file>'; }
            """;

    @TempDir
    Path directory;

    private ShellSession zsh;

    @BeforeEach
    void openZsh() {
        zsh = new ShellSession(directory, "zsh", "-f").assumeInstalled();
    }

    @Test
    void commandsAreOfferedWithTheirDescriptions() throws Exception {
        assertThat(complete("runs", "")).containsExactly("list:List runs", "ls:List runs", "show:Show a run");
    }

    @Test
    void optionsAreOfferedWithTheirDescriptions() throws Exception {
        assertThat(complete("run", "-"))
                .contains("--detach:Don't wait", "--output:How: shown", "--verbose:Show the cause of a failure");
    }

    @Test
    void valuesAreOfferedAfterABlankAndAfterAnEqualsSign() throws Exception {
        assertThat(complete("run", "--output", "")).containsExactly("table", "json");
        assertThat(complete("run", "--output=j")).containsExactly("table", "json");
    }

    @Test
    void filesAreOfferedWhereOneIsExpectedOnly() throws Exception {
        assertThat(complete("run", "--file", "")).containsExactly("<file>");
        assertThat(complete("run", "--file=")).containsExactly("<file>");
        assertThat(complete("run", "--", "")).containsExactly("<file>");
        assertThat(complete("run", "")).isEmpty();
    }

    @Test
    void valueOfAnOptionIsNoPartOfTheName() throws Exception {
        assertThat(complete("run", "-H", "runs", "")).isEmpty();
    }

    private List<String> complete(String... line) throws Exception {
        String words = Stream.concat(Stream.of("carlos"), Stream.of(line))
                .map(Quote::single)
                .collect(Collectors.joining(" "));
        String script = ZshCompletion.script(CompletionNode.all(new CommandTree(new SampleCommands().registry())));
        String call = "words=(" + words + "); CURRENT=" + (line.length + 1) + "; _carlos || true";
        return zsh.run(EDITOR + script + "\n" + call).stream()
                .filter(text -> !text.isEmpty())
                .toList();
    }
}

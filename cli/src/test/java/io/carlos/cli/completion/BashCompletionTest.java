package io.carlos.cli.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.Seeds;
import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.GeneratedCommands;
import io.carlos.cli.command.SampleCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script as bash runs it: COMP_WORDS are the words of the line, split at equals signs too, and COMPREPLY is the answer. */
class BashCompletionTest {
    @TempDir
    Path directory;

    private ShellSession bash;

    @BeforeEach
    void openBash() {
        bash = new ShellSession(directory, "bash", "--noprofile", "--norc").assumeInstalled();
    }

    @Test
    void commandIsCompletedFromItsFirstLetters() throws Exception {
        assertThat(complete("carlos", "r")).containsExactly("run", "runs");
        assertThat(complete("carlos", "runs", "")).containsExactly("list", "ls", "show");
    }

    @Test
    void optionIsCompleted() throws Exception {
        assertThat(complete("carlos", "runs", "list", "--l")).containsExactly("--limit");
    }

    @Test
    void valueIsCompletedAfterABlankAndAfterAnEqualsSign() throws Exception {
        assertThat(complete("carlos", "run", "--output", "j")).containsExactly("json");
        assertThat(complete("carlos", "run", "--output", "=", "j")).containsExactly("json");
        assertThat(complete("carlos", "run", "--output", "=")).containsExactly("table", "json");
    }

    @Test
    void valueAfterAnEqualsSignIsNoCommand() throws Exception {
        assertThat(complete("carlos", "--verbose", "=", "true", "runs", "")).containsExactly("list", "ls", "show");
    }

    @Test
    void fileIsCompletedWithItsBlanks() throws Exception {
        Files.createFile(directory.resolve("a b"));
        Files.createFile(directory.resolve("ac"));

        assertThat(complete("carlos", "run", "--file", "a")).containsExactlyInAnyOrder("a b", "ac");
        assertThat(complete("carlos", "run", "--", "ac")).containsExactly("ac");
    }

    @Test
    void completionIsRegisteredForCarlos() throws Exception {
        assertThat(bash.run(sampleScript() + "\ncomplete -p carlos")).containsExactly("complete -F _carlos carlos");
    }

    @Test
    void answersAreThoseOfTheInteractiveShell() throws Exception {
        Seeds.forEach(15, random -> {
            CommandTree tree = new CommandTree(new GeneratedCommands(random).registry());
            List<List<String>> lines =
                    Stream.generate(() -> line(tree, random)).limit(20).toList();
            String calls = lines.stream().map(BashCompletionTest::call).collect(Collectors.joining("\n"));

            List<String> answers = bash.run(BashCompletion.script(CompletionNode.all(tree)) + "\n" + calls);

            assertThat(answers)
                    .isEqualTo(lines.stream().map(line -> expected(tree, line)).toList());
        });
    }

    private List<String> complete(String... words) throws Exception {
        return bash.run(
                sampleScript() + "\n" + setWords(List.of(words)) + "_carlos; printf '%s\\n' \"${COMPREPLY[@]}\"");
    }

    private static String sampleScript() {
        return BashCompletion.script(CompletionNode.all(new CommandTree(new SampleCommands().registry())));
    }

    private static String setWords(List<String> words) {
        String quoted = words.stream().map(Quote::single).collect(Collectors.joining(" "));
        return "COMP_WORDS=(" + quoted + "); COMP_CWORD=" + (words.size() - 1) + "; ";
    }

    private static String call(List<String> line) {
        List<String> words = Stream.concat(Stream.of("carlos"), line.stream()).toList();
        return setWords(words) + "_carlos; echo \"${COMPREPLY[*]}\"";
    }

    private static String expected(CommandTree tree, List<String> line) {
        return switch (new LineCompletion(tree).complete(line.subList(0, line.size() - 1), line.getLast())) {
            case Completion.Files _ -> "";
            case Completion.Words words ->
                words.choices().stream()
                        .map(Completion.Choice::word)
                        .filter(word -> word.startsWith(line.getLast()))
                        .collect(Collectors.joining(" "));
        };
    }

    /** Words as a user may have typed them, the last one whole, begun, or not begun; none that names a file. */
    private static List<String> line(CommandTree tree, Random random) {
        List<CompletionNode> nodes = CompletionNode.all(tree);
        CompletionNode node = nodes.get(random.nextInt(nodes.size()));
        List<String> words = new ArrayList<>(List.of(node.name().split(" ")));
        node.options().stream().filter(option -> random.nextInt(4) == 0).forEach(option -> words.add(option.word()));
        Stream.of("zz", "--", "runs", "json")
                .filter(word -> random.nextInt(6) == 0)
                .forEach(words::add);
        words.removeIf(String::isEmpty);
        words.add(Stream.of("", "r", "l", "--", "--f", "zz")
                .skip(random.nextInt(6))
                .findFirst()
                .orElseThrow());
        return words;
    }
}

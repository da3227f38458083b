package io.carlos.cli.completion;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.ValueReader;
import io.carlos.cli.completion.Completion.Choice;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.shell.core.command.Command;
import org.springframework.shell.core.command.CommandOption;

/**
 * What may follow the first words of a command line, ready for a table.
 *
 * @param name the words, joined by blanks; empty for none
 * @param children the words that may be next
 * @param options the options that may follow, by their long names
 * @param valued the options that take a value, under each of their names
 */
record CompletionNode(String name, List<Choice> children, List<Choice> options, List<ValuedOption> valued) {
    private static final List<Choice> GLOBAL = List.of(
            new Choice("--help", "Show how it is used"), new Choice("--verbose", "Show the cause of a failure"));
    private static final Choice VERSION = new Choice("--version", "Show the version");

    /** @param names as written, such as {@code --host} and {@code -H} */
    record ValuedOption(List<String> names, Completion values) {}

    /** The node for every word of every command that is not hidden, the root first. */
    static List<CompletionNode> all(CommandTree tree) {
        return below(tree.root()).toList();
    }

    private static Stream<CompletionNode> below(CommandTree.Node node) {
        return Stream.concat(Stream.of(of(node)), node.children().stream().flatMap(CompletionNode::below));
    }

    static CompletionNode of(CommandTree.Node node) {
        List<CommandOption> own = node.command().map(Command::getOptions).orElse(List.of());
        Stream<Choice> options = own.stream()
                .map(option -> new Choice(
                        "--" + option.longName(),
                        Optional.ofNullable(option.description()).orElse("")));
        Stream<Choice> global = node.isRoot() ? Stream.concat(GLOBAL.stream(), Stream.of(VERSION)) : GLOBAL.stream();
        return new CompletionNode(
                node.name(),
                node.children().stream()
                        .map(child -> new Choice(child.word(), child.description()))
                        .toList(),
                Stream.concat(options, global).toList(),
                own.stream()
                        .filter(option -> option.type() != boolean.class)
                        .map(CompletionNode::valued)
                        .toList());
    }

    private static ValuedOption valued(CommandOption option) {
        Stream<String> shortName = option.shortName() == ' ' ? Stream.of() : Stream.of("-" + option.shortName());
        return new ValuedOption(
                Stream.concat(Stream.of("--" + option.longName()), shortName).toList(), values(option.type()));
    }

    private static Completion values(Class<?> type) {
        if (type == Path.class) {
            return Completion.FILES;
        }
        if (!type.isEnum()) {
            return Completion.NOTHING;
        }
        return new Completion.Words(
                ValueReader.constants(type).map(word -> new Choice(word, "")).toList());
    }
}

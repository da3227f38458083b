package io.carlos.cli.completion;

import io.carlos.cli.completion.Completion.Choice;
import io.carlos.cli.completion.CompletionNode.ValuedOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link LineCompletion} as declarations for fish, which walks over options and their values by itself. */
final class FishCompletion {
    private static final String SCRIPT = """
            # Completion of carlos for fish, made by "carlos completion fish".

            # Prints the command words of the line so far; "--" when only words for others may follow.
            function __carlos_node
                set -l node ''
                for word in (commandline -opc)[2..-1]
                    switch $word
                        case --
                            echo -- --
                            return
                        case '-*'
                            continue
                    end
                    set -l longer (string trim "$node $word")
                    contains -- $longer %s
                    and set node $longer
                end
                echo $node
            end

            function __carlos_at
                test "$(__carlos_node)" = "$argv[1]"
            end

            complete -c carlos -f
            complete -c carlos -n '__carlos_at --' -F
            %s""";

    private FishCompletion() {}

    static String script(List<CompletionNode> nodes) {
        String names = nodes.stream()
                .map(CompletionNode::name)
                .filter(name -> !name.isEmpty())
                .map(Quote::fish)
                .collect(Collectors.joining(" "));
        return SCRIPT.formatted(
                names, nodes.stream().flatMap(FishCompletion::declarations).collect(Collectors.joining("\n")));
    }

    private static Stream<String> declarations(CompletionNode node) {
        String where = "complete -c carlos -n " + Quote.fish("__carlos_at " + Quote.fish(node.name()));
        Stream<String> children =
                node.children().stream().map(child -> where + " -a " + Quote.fish(child.word()) + description(child));
        Stream<String> options = node.options().stream()
                .map(option -> where + " -l " + Quote.fish(option.word().substring(2)) + value(node, option)
                        + description(option));
        return Stream.concat(children, options);
    }

    private static String value(CompletionNode node, Choice option) {
        Optional<ValuedOption> valued = node.valued().stream()
                .filter(candidate -> candidate.names().contains(option.word()))
                .findFirst();
        return valued.map(value -> shortName(value)
                        + switch (value.values()) {
                            case Completion.Files _ -> " -r -F";
                            case Completion.Words words ->
                                " -x -a "
                                        + Quote.fish(words.choices().stream()
                                                .map(Choice::word)
                                                .collect(Collectors.joining(" ")));
                        })
                .orElse("");
    }

    private static String shortName(ValuedOption option) {
        return option.names().stream()
                .filter(name -> !name.startsWith("--"))
                .map(name -> " -s " + name.substring(1))
                .findFirst()
                .orElse("");
    }

    private static String description(Choice choice) {
        return choice.description().isEmpty() ? "" : " -d " + Quote.fish(choice.description());
    }
}

package io.carlos.cli.completion;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.completion.Completion.Choice;
import io.carlos.cli.completion.CompletionNode.ValuedOption;
import java.util.List;
import java.util.Optional;

/** Finds what may stand at the cursor of an unfinished command line. The scripts for other shells do the same in their languages. */
public final class LineCompletion {
    private final CommandTree commands;

    public LineCompletion(CommandTree commands) {
        this.commands = commands;
    }

    /**
     * The words that fit there, whatever of one has been typed; the caller picks those that go on from it.
     *
     * @param before the whole words before the cursor's, without {@code carlos} itself
     * @param current what stands of the word at the cursor
     */
    public Completion complete(List<String> before, String current) {
        CommandTree.Node node = commands.root();
        boolean inName = true;
        Optional<Completion> awaited = Optional.empty();
        for (String word : before) {
            if (awaited.isPresent()) {
                awaited = Optional.empty();
            } else if (word.equals("--")) {
                return Completion.FILES;
            } else if (word.startsWith("-")) {
                awaited = values(node, word);
            } else {
                Optional<CommandTree.Node> child = inName ? offered(node, word) : Optional.empty();
                inName = child.isPresent();
                node = child.orElse(node);
            }
        }
        return awaited.isPresent() ? awaited.get() : atWord(node, inName, current);
    }

    private static Optional<CommandTree.Node> offered(CommandTree.Node node, String word) {
        return node.children().stream()
                .filter(child -> child.word().equals(word))
                .findFirst();
    }

    private static Optional<Completion> values(CommandTree.Node node, String option) {
        return CompletionNode.of(node).valued().stream()
                .filter(valued -> valued.names().contains(option))
                .findFirst()
                .map(ValuedOption::values);
    }

    private static Completion atWord(CommandTree.Node node, boolean inName, String current) {
        CompletionNode here = CompletionNode.of(node);
        int equals = current.indexOf('=');
        if (current.startsWith("--") && equals > 0) {
            String option = current.substring(0, equals);
            return values(node, option).map(values -> attached(option, values)).orElse(Completion.NOTHING);
        }
        if (current.startsWith("-")) {
            return new Completion.Words(here.options());
        }
        return inName ? new Completion.Words(here.children()) : Completion.NOTHING;
    }

    /** The values with {@code --option=} before each; files have none, since no shell here completes them so. */
    private static Completion attached(String option, Completion values) {
        return switch (values) {
            case Completion.Files _ -> Completion.NOTHING;
            case Completion.Words words ->
                new Completion.Words(words.choices().stream()
                        .map(choice -> new Choice(option + "=" + choice.word(), choice.description()))
                        .toList());
        };
    }
}

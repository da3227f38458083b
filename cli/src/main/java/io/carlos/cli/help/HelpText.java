package io.carlos.cli.help;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.command.HelpLine;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.shell.core.command.Command;

/** What {@code --help} and {@code carlos help} print of a place in the tree of commands. */
public final class HelpText {
    private static final String TITLE =
            "carlos runs commands beside instances, isolated from each other, each exactly once.";

    private HelpText() {}

    public static String of(CommandTree.Node node) {
        return node.isRoot()
                ? overview(node)
                : node.command().map(Command::getHelp).orElseGet(() -> commonWords(node));
    }

    private static String overview(CommandTree.Node root) {
        List<String> sections = new ArrayList<>();
        sections.add(TITLE);
        sections.add(
                "Usage: carlos COMMAND [OPTIONS] [ARGUMENTS]\n       carlos (on a terminal: the interactive shell)");
        root.commands()
                .collect(Collectors.groupingBy(Command::getGroup, TreeMap::new, Collectors.toList()))
                .forEach((group, commands) -> sections.add(group + ":\n" + lines(commands)));
        List<HelpLine> options = new ArrayList<>(HelpLine.EVERYWHERE);
        options.add(new HelpLine("    --version", "Show the version"));
        sections.add("Options:\n" + HelpLine.render(options));
        sections.add("\"carlos help COMMAND\" explains a command.");
        return String.join("\n\n", sections);
    }

    private static String commonWords(CommandTree.Node node) {
        return "Usage: carlos " + node.name() + " COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n"
                + lines(node.commands().toList())
                + "\n\n\"carlos help " + node.name() + " COMMAND\" explains a command.";
    }

    private static String lines(List<Command> commands) {
        return HelpLine.render(commands.stream()
                .map(command -> new HelpLine(command.getName(), command.getDescription()))
                .toList());
    }
}

package io.carlos.cli.argv;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.exit.CliException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.shell.core.command.Command;

/**
 * Reads a command line that comes as separate words, as the kernel hands them over: no word is joined, split or unquoted.
 *
 * <p>First the words of the command's name, then options and arguments in any order; everything after the first {@code --} is an argument.
 * {@code --help}, {@code -h} and {@code --verbose} may stand anywhere before that.
 */
public final class ArgvParser {
    private final CommandTree commands;

    public ArgvParser(CommandTree commands) {
        this.commands = commands;
    }

    /** @throws CliException of {@link io.carlos.cli.exit.CliExit#USAGE} when the words ask for nothing that exists */
    public Invocation parse(List<String> argv) {
        GlobalOptions globals = new GlobalOptions();
        CommandTree.Node node = commands.root();
        int next = 0;
        while (next < argv.size()) {
            Optional<CommandTree.Node> child = node.child(argv.get(next));
            if (child.isPresent()) {
                node = child.get();
            } else if (!globals.take(argv.get(next))) {
                break;
            }
            next++;
        }
        List<String> rest = argv.subList(next, argv.size());
        Optional<Command> command = node.command();
        return command.isPresent() ? invoke(command.get(), node, rest, globals) : withoutCommand(node, rest, globals);
    }

    private static Invocation invoke(Command command, CommandTree.Node node, List<String> rest, GlobalOptions globals) {
        WordReader reader = new WordReader(command, globals);
        reader.read(rest);
        return globals.help()
                ? new Invocation.Help(node, globals.verbose())
                : new Invocation.Execute(command, reader.result(), globals.verbose());
    }

    private static Invocation withoutCommand(CommandTree.Node node, List<String> rest, GlobalOptions globals) {
        if (globals.help()) {
            return new Invocation.Help(node, globals.verbose());
        }
        if (node.isRoot() && rest.equals(List.of("--version"))) {
            return new Invocation.Version(globals.verbose());
        }
        if (!rest.isEmpty()) {
            throw rest.getFirst().startsWith("-")
                    ? misplacedOption(rest.getFirst())
                    : unknownCommand(node, rest.getFirst());
        }
        if (!node.isRoot()) {
            throw CliException.usage("\"" + node.name() + "\" is not a whole command; go on with one of "
                    + node.children().stream().map(CommandTree.Node::word).collect(Collectors.joining(", ")));
        }
        return new Invocation.Nothing(globals.verbose());
    }

    private static CliException misplacedOption(String word) {
        return CliException.usage("the option " + Quoted.of(word) + " stands before a command; write the command first,"
                + " and see \"carlos help\" for them all");
    }

    private static CliException unknownCommand(CommandTree.Node parent, String word) {
        String name = parent.isRoot() ? word : parent.name() + " " + word;
        List<String> known =
                parent.children().stream().map(CommandTree.Node::word).toList();
        String help = parent.isRoot() ? "carlos help" : "carlos help " + parent.name();
        return CliException.usage("there is no command " + Quoted.of(name) + Suggestion.of(word, known) + "; see \""
                + help + "\" for those there are");
    }
}

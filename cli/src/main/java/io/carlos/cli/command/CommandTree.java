package io.carlos.cli.command;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.Command;
import org.springframework.shell.core.command.CommandRegistry;

/** The commands of a registry by the words of their names: {@code runs list} is the node {@code list} below the node {@code runs}. */
public final class CommandTree {
    private final Node root = new Node("", "");

    public CommandTree(CommandRegistry registry) {
        for (Command command : registry.getCommands()) {
            Stream.concat(Stream.of(command.getName()), command.getAliases().stream())
                    .forEach(name -> add(name, command));
        }
    }

    private void add(String name, Command command) {
        Node node = root;
        for (String word : name.split(" ")) {
            Node parent = node;
            node = node.children.computeIfAbsent(word, w -> new Node(parent.isRoot() ? w : parent.name + " " + w, w));
        }
        node.command = command;
    }

    public Node root() {
        return root;
    }

    /** The node at the end of the path, which may be a command, the common first words of some, or both. */
    public Optional<Node> find(List<String> words) {
        Optional<Node> node = Optional.of(root);
        for (String word : words) {
            node = node.flatMap(parent -> parent.child(word));
        }
        return node;
    }

    /** One word of a name. */
    public static final class Node {
        private final String name;
        private final String word;
        private final SortedMap<String, Node> children = new TreeMap<>();
        private @Nullable Command command;

        private Node(String name, String word) {
            this.name = name;
            this.word = word;
        }

        /** All words from the root to here, as the user writes them; empty for the root. */
        public String name() {
            return name;
        }

        public String word() {
            return word;
        }

        public boolean isRoot() {
            return name.isEmpty();
        }

        /** The command of this name, hidden or not. */
        public Optional<Command> command() {
            return Optional.ofNullable(command);
        }

        public Optional<Node> child(String word) {
            return Optional.ofNullable(children.get(word));
        }

        /** The children to offer, in alphabetical order: those that are or lead to a command that is not hidden. */
        public List<Node> children() {
            return children.values().stream().filter(Node::isOffered).toList();
        }

        private boolean isOffered() {
            return command().filter(c -> !c.isHidden()).isPresent()
                    || !children().isEmpty();
        }

        /** The commands to offer here and below, by name; an alias is not among them. */
        public Stream<Command> commands() {
            Stream<Command> here =
                    command().filter(c -> !c.isHidden() && c.getName().equals(name)).stream();
            return Stream.concat(here, children().stream().flatMap(Node::commands));
        }

        /** What it does, in one sentence; for common first words, what follows them. */
        public String description() {
            return command()
                    .map(Command::getDescription)
                    .orElseGet(() -> String.join(
                            ", ", children().stream().map(Node::word).toList()));
        }
    }
}

package io.carlos.cli.argv;

import io.carlos.cli.exit.CliException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.springframework.shell.core.command.Command;
import org.springframework.shell.core.command.CommandArgument;
import org.springframework.shell.core.command.CommandOption;
import org.springframework.shell.core.command.ParsedInput;

/** Tells the options of one command from its arguments. */
final class WordReader {
    private static final String END_OF_OPTIONS = "--";

    private final Command command;
    private final GlobalOptions globals;
    private final ParsedInput.Builder result;
    private final Deque<String> words = new ArrayDeque<>();
    private int arguments;

    WordReader(Command command, GlobalOptions globals) {
        this.command = command;
        this.globals = globals;
        List<String> name = List.of(command.getName().split(" "));
        this.result = ParsedInput.builder().commandName(name.getFirst());
        name.stream().skip(1).forEach(result::addSubCommand);
    }

    void read(List<String> rest) {
        words.addAll(rest);
        while (!words.isEmpty()) {
            String word = words.remove();
            if (word.equals(END_OF_OPTIONS)) {
                words.forEach(this::addArgument);
                words.clear();
            } else if (word.startsWith("--")) {
                readLongOption(word);
            } else if (word.startsWith("-") && word.length() > 1) {
                readShortOptions(word);
            } else {
                addArgument(word);
            }
        }
    }

    ParsedInput result() {
        return result.build();
    }

    private void addArgument(String word) {
        result.addArgument(new CommandArgument(arguments++, word));
    }

    private void readLongOption(String word) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Optional<CommandOption> option = find(name);
        if (option.isPresent()) {
            Optional<String> attached = equals < 0 ? Optional.empty() : Optional.of(word.substring(equals + 1));
            addOption(option.get(), attached.orElseGet(() -> isFlag(option.get()) ? "true" : nextWord(name)));
        } else if (!globals.take(word)) {
            throw unknown(name);
        }
    }

    /** One or more letters: flags, of which the last one may be an option with its value in the same or in the next word. */
    private void readShortOptions(String word) {
        for (int i = 1; i < word.length(); i++) {
            String name = "-" + word.charAt(i);
            Optional<CommandOption> found = find(name);
            if (found.isEmpty()) {
                if (globals.take(name)) {
                    continue;
                }
                throw unknown(name.equals(word) ? name : name + " in " + word);
            }
            CommandOption option = found.get();
            if (!isFlag(option)) {
                String attached = word.substring(i + 1);
                addOption(option, attached.isEmpty() ? nextWord(name) : attached.replaceFirst("^=", ""));
                return;
            }
            addOption(option, "true");
        }
    }

    /** A word that is an option itself is no value unless it is attached: a forgotten value must not swallow the next option. */
    private String nextWord(String name) {
        String next = words.peek();
        if (next == null || next.equals(END_OF_OPTIONS) || isOption(next)) {
            throw CliException.usage("the option " + name + " needs a value; write it as the next word"
                    + (next == null ? "" : ", or as " + name + "=VALUE if it begins with a dash"));
        }
        return words.remove();
    }

    private boolean isOption(String word) {
        String name = word.startsWith("--") && word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        return find(name).isPresent() || new GlobalOptions().take(name);
    }

    private Optional<CommandOption> find(String name) {
        return command.getOptions().stream()
                .filter(option -> option.isOptionEqual(name))
                .findFirst();
    }

    private static boolean isFlag(CommandOption option) {
        return option.type() == boolean.class || option.type() == Boolean.class;
    }

    private void addOption(CommandOption option, String value) {
        result.addOption(CommandOption.with()
                .longName(String.valueOf(option.longName()))
                .shortName(option.shortName())
                .type(option.type())
                .value(value)
                .build());
    }

    private CliException unknown(String name) {
        List<String> known = command.getOptions().stream()
                .map(option -> "--" + option.longName())
                .toList();
        return CliException.usage("\"" + command.getName() + "\" has no option " + Quoted.of(name)
                + Suggestion.of(name, known) + "; see \"carlos help " + command.getName()
                + "\", and write -- before words that are not for carlos");
    }
}

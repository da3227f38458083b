package io.carlos.cli.command;

import io.carlos.cli.console.OutputFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.shell.core.command.Command;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.CommandOption;
import org.springframework.shell.core.command.CommandRegistry;

/** A registry with commands made at random: names of one to three words that share beginnings, and options of every kind. */
public final class GeneratedCommands {
    private static final List<String> WORDS = List.of("run", "runs", "list", "local", "vm", "up");
    private static final List<String> OPTIONS =
            List.of("host", "hosts", "file", "from", "follow", "output", "detach", "tty");
    private static final List<Class<?>> TYPES = List.of(boolean.class, String.class, Path.class, OutputFormat.class);
    private static final String SHORT_NAMES = "HfFodt";

    private final Random random;
    private final Map<String, Command> commands = new LinkedHashMap<>();

    public GeneratedCommands(Random random) {
        this.random = random;
        int count = 1 + random.nextInt(6);
        while (commands.size() < count) {
            Command command = command();
            commands.putIfAbsent(command.getName(), command);
        }
    }

    public CommandRegistry registry() {
        CommandRegistry registry = new CommandRegistry();
        commands.values().forEach(registry::registerCommand);
        return registry;
    }

    public Command any() {
        return new ArrayList<>(commands.values()).get(random.nextInt(commands.size()));
    }

    public static boolean isFlag(CommandOption option) {
        return option.type() == boolean.class;
    }

    private Command command() {
        List<String> name = random.ints(1 + random.nextInt(3), 0, WORDS.size())
                .mapToObj(WORDS::get)
                .toList();
        Consumer<CommandContext> nothing = context -> {};
        return Command.builder()
                .name(String.join(" ", name))
                .description("Does what '" + name.getLast() + "' does: something")
                .options(options().toArray(CommandOption[]::new))
                .execute(nothing);
    }

    private List<CommandOption> options() {
        Set<Integer> picked = new LinkedHashSet<>();
        random.ints(random.nextInt(5), 0, OPTIONS.size()).forEach(picked::add);
        List<CommandOption> options = new ArrayList<>();
        for (int index : picked) {
            boolean named = index < SHORT_NAMES.length() && random.nextBoolean();
            options.add(CommandOption.with()
                    .longName(OPTIONS.get(index))
                    .shortName(named ? SHORT_NAMES.charAt(index) : ' ')
                    .description("Sets \"" + OPTIONS.get(index) + "\"")
                    .type(TYPES.get(random.nextInt(TYPES.size())))
                    .build());
        }
        return options;
    }
}

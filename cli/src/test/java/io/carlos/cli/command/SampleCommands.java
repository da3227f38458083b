package io.carlos.cli.command;

import io.carlos.cli.console.OutputFormat;
import io.carlos.model.runs.RunId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.CommandRegistry;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Arguments;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** Commands of the shapes that carlos has. They keep the values they were called with, and do what they were told before. */
public final class SampleCommands {
    /** How a call of a command ends. */
    @FunctionalInterface
    public interface Behaviour {
        int end() throws Exception;
    }

    private final List<List<Object>> calls = new ArrayList<>();
    private final Behaviour behaviour;

    public SampleCommands() {
        this(() -> 0);
    }

    public SampleCommands(Behaviour behaviour) {
        this.behaviour = behaviour;
    }

    /** The values of the parameters, for each call. */
    public List<List<Object>> calls() {
        return calls;
    }

    public CommandRegistry registry() {
        return registryOf(this);
    }

    /** The registry of the commands that an object's methods are. */
    public static CommandRegistry registryOf(Object group) {
        CommandRegistry registry = new CommandRegistry();
        Stream.of(group.getClass().getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Command.class))
                .map(method -> AnnotatedCommand.of(method, () -> group))
                .forEach(registry::registerCommand);
        return registry;
    }

    @Command(name = "run", group = "Runs", description = "Run a command beside an instance")
    int run(
            @Option(longName = "host", shortName = 'H', description = "Where", required = true) String host,
            @Option(longName = "file", description = "What to upload") List<Path> files,
            @Option(longName = "timeout", description = "How long", defaultValue = "10m") Duration timeout,
            @Option(longName = "detach", shortName = 'd', description = "Don't wait") boolean detach,
            @Option(longName = "output", description = "How: shown", defaultValue = "table") OutputFormat output,
            @Arguments List<String> words)
            throws Exception {
        return called(host, files, timeout, detach, output, words);
    }

    @Command(
            name = {"runs", "list"},
            alias = "runs ls",
            group = "Runs",
            description = "List runs")
    void list(
            @Option(longName = "app") Optional<String> app,
            @Option(longName = "limit", defaultValue = "20") int limit,
            CommandContext context)
            throws Exception {
        called(app, limit, context.parsedInput().commandName());
    }

    @Command(
            name = {"runs", "show"},
            group = "Runs",
            description = "Show a run",
            help = "A long explanation.")
    void show(@Argument(index = 0, description = "The run") RunId runId, @Option(longName = "from") Long from)
            throws Exception {
        called(runId, from);
    }

    @Command(
            name = {"vm", "exec"},
            group = "Machines",
            description = "Execute in a machine")
    void exec(
            @Option(longName = "interactive", shortName = 'i') boolean interactive,
            @Option(longName = "tty", shortName = 't') boolean terminal,
            @Option(longName = "user", shortName = 'u', defaultValue = "root") String user,
            @Argument(index = 0) String machine,
            @Argument(index = 1, defaultValue = "sh") String program,
            @Arguments List<String> words)
            throws Exception {
        called(interactive, terminal, user, machine, program, words);
    }

    @Command(name = "secret", group = "Runs", description = "Not for everybody", hidden = true)
    void secret() throws Exception {
        called();
    }

    private int called(Object... values) throws Exception {
        calls.add(Arrays.asList(values));
        return behaviour.end();
    }
}

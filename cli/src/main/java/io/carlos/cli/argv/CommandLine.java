package io.carlos.cli.argv;

import io.carlos.cli.command.CommandTree;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.Printable;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.exit.Failure;
import io.carlos.cli.help.HelpText;
import io.carlos.cli.help.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.shell.core.InputReader;
import org.springframework.shell.core.command.CommandContext;
import org.springframework.shell.core.command.CommandRegistry;
import org.springframework.stereotype.Component;

/** Executes one command line to its exit code; whatever goes wrong is told on stderr in one sentence. */
@Component
public class CommandLine {
    private final CommandRegistry registry;
    private final CommandTree commands;
    private final Console console;

    public CommandLine(CommandRegistry registry, CommandTree commands, Console console) {
        this.registry = registry;
        this.commands = commands;
        this.console = console;
    }

    /** @param argv the words after {@code carlos} */
    public int execute(List<String> argv) {
        boolean verbose = false;
        try {
            Invocation invocation = new ArgvParser(commands).parse(argv);
            verbose = invocation.verbose();
            return perform(invocation);
        } catch (Exception | LinkageError | StackOverflowError e) {
            return report(e, verbose, console);
        }
    }

    private int perform(Invocation invocation) throws Exception {
        return switch (invocation) {
            case Invocation.Execute execute ->
                execute.command().execute(context(execute)).code();
            case Invocation.Help help -> print(HelpText.of(help.topic()));
            case Invocation.Version _ -> print(Version.text());
            case Invocation.Nothing _ -> {
                console.errorln(HelpText.of(commands.root()));
                yield CliExit.USAGE.code();
            }
        };
    }

    private CommandContext context(Invocation.Execute execute) {
        PrintWriter writer = new PrintWriter(console.out(), true, StandardCharsets.UTF_8);
        return new CommandContext(execute.input(), registry, writer, new InputReader() {});
    }

    private int print(String text) throws IOException {
        console.println(text);
        return 0;
    }

    /** Tells a failure on stderr, with the stack of its cause when verbose; returns the exit code. */
    public static int report(Throwable thrown, boolean verbose, Console console) {
        Failure failure = Failure.of(thrown);
        try {
            if (failure.sentence().isPresent()) {
                console.errorln("carlos: " + Printable.of(failure.sentence().get()));
                Throwable unexplained = thrown instanceof CliException ? thrown.getCause() : thrown;
                if (verbose && unexplained != null) {
                    StringWriter trace = new StringWriter();
                    unexplained.printStackTrace(new PrintWriter(trace));
                    console.errorln(trace.toString().stripTrailing());
                }
            }
        } catch (IOException _) {
            // Nobody reads stderr, so that the exit code is all that can be said.
        }
        return failure.exit().code();
    }
}

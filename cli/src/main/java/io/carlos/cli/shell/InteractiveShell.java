package io.carlos.cli.shell;

import io.carlos.cli.argv.CommandLine;
import io.carlos.cli.command.CommandTree;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.CtrlC;
import io.carlos.cli.exit.CliExit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.springframework.stereotype.Component;

/** Reads command lines from the terminal and executes one after the other, until {@code exit} or Ctrl-D. */
@Component
public class InteractiveShell {
    private static final String HISTORY = "history";

    private final CommandLine commandLine;
    private final CommandTree commands;
    private final Console console;

    public InteractiveShell(CommandLine commandLine, CommandTree commands, Console console) {
        this.commandLine = commandLine;
        this.commands = commands;
        this.console = console;
    }

    /**
     * Returns 0 when the user leaves; how a command ended is told by the prompt after it.
     *
     * @param verbose whether every command is to be executed as with {@code --verbose}
     */
    public int run(boolean verbose) throws IOException {
        try (Terminal terminal =
                TerminalBuilder.builder().system(true).dumb(true).build()) {
            LineReader reader = reader(terminal);
            int exitCode = 0;
            for (Optional<String> line = read(reader, exitCode); line.isPresent(); line = read(reader, exitCode)) {
                exitCode = execute(line.get(), verbose);
            }
            return 0;
        }
    }

    private LineReader reader(Terminal terminal) {
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .appName("carlos")
                .terminal(terminal)
                .completer(new RegistryCompleter(commands))
                // A "!" belongs to the user's command.
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
        new UserDirectories(System.getenv())
                .state()
                .flatMap(InteractiveShell::writableDirectory)
                .ifPresent(directory -> builder.variable(LineReader.HISTORY_FILE, directory.resolve(HISTORY)));
        return builder.build();
    }

    /** Created for this user alone, since command lines may hold secrets; empty when it cannot be, and then the history lasts for one session. */
    private static Optional<Path> writableDirectory(Path directory) {
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException _) {
            return Optional.empty();
        }
        return Optional.of(directory).filter(Files::isWritable);
    }

    /** The next line; empty when the user leaves. */
    private static Optional<String> read(LineReader reader, int lastExitCode) {
        String prompt = lastExitCode == 0 ? "carlos> " : "carlos [" + lastExitCode + "]> ";
        while (true) {
            try {
                String line = reader.readLine(prompt).strip();
                return Optional.of(line).filter(text -> !text.equals("exit") && !text.equals("quit"));
            } catch (UserInterruptException _) {
                // Ctrl-C at the prompt gives the line up, as in every shell.
            } catch (EndOfFileException _) {
                return Optional.empty();
            }
        }
    }

    private int execute(String line, boolean verbose) throws IOException {
        List<String> argv;
        try {
            argv = ShellWords.split(line);
        } catch (IllegalArgumentException e) {
            console.errorln("carlos: " + e.getMessage());
            return CliExit.USAGE.code();
        }
        if (argv.isEmpty()) {
            return 0;
        }
        Thread commandThread = Thread.currentThread();
        try (CtrlC _ = CtrlC.handledBy(commandThread::interrupt)) {
            return commandLine.execute(
                    verbose
                            ? Stream.concat(Stream.of("--verbose"), argv.stream())
                                    .toList()
                            : argv);
        } finally {
            // An interrupt that came too late for the command is not one for the prompt.
            Thread.interrupted();
        }
    }
}

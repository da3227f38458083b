package io.carlos.cli;

import io.carlos.cli.argv.CommandLine;
import io.carlos.cli.argv.KernelArguments;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.StandardStream;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.shell.InteractiveShell;
import java.io.IOException;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.stereotype.Component;

/**
 * One process: the command of its arguments or, without any on a terminal, the interactive shell. Spring Shell's own runner for one command
 * joins the arguments with blanks and splits them again, and forgets how the command ended.
 */
@Component
class CarlosRunner implements ApplicationRunner, ExitCodeGenerator {
    private final CommandLine commandLine;
    private final Console console;
    private final ObjectProvider<InteractiveShell> shell;
    private int exitCode;

    CarlosRunner(CommandLine commandLine, Console console, ObjectProvider<InteractiveShell> shell) {
        this.commandLine = commandLine;
        this.console = console;
        this.shell = shell;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        try {
            exitCode = run(KernelArguments.of(arguments.getSourceArgs()));
        } catch (CliException | IOException e) {
            exitCode = CommandLine.report(e, false, console);
        }
    }

    private int run(List<String> argv) throws IOException {
        boolean command = argv.stream().anyMatch(word -> !word.equals("--verbose"));
        boolean person = console.isTerminal(StandardStream.IN) && console.isTerminal(StandardStream.OUT);
        return !command && person ? shell.getObject().run(!argv.isEmpty()) : commandLine.execute(argv);
    }

    @Override
    public int getExitCode() {
        return exitCode;
    }
}

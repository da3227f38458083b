package io.carlos.cli.help;

import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.command.CommandTree;
import io.carlos.cli.console.Console;
import io.carlos.cli.exit.CliException;
import java.io.IOException;
import java.util.List;
import org.springframework.shell.core.command.annotation.Arguments;
import org.springframework.shell.core.command.annotation.Command;

/** {@code carlos help} and {@code carlos version}. */
@CommandGroup
class HelpCommands {
    private final Console console;
    private final CommandTree commands;

    HelpCommands(Console console, CommandTree commands) {
        this.console = console;
        this.commands = commands;
    }

    @Command(name = "help", group = "About carlos", description = "Explain a command, or list them all")
    void help(@Arguments List<String> command) throws IOException {
        CommandTree.Node topic = commands.find(command)
                .orElseThrow(() -> CliException.usage("there is no command \"" + String.join(" ", command)
                        + "\"; see \"carlos help\" for those there are"));
        console.println(HelpText.of(topic));
    }

    @Command(name = "version", group = "About carlos", description = "Show the version")
    void version() throws IOException {
        console.println(Version.text());
    }
}

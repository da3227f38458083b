package io.carlos.cli.completion;

import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.command.CommandTree;
import io.carlos.cli.console.Console;
import java.io.IOException;
import java.util.List;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;

/** {@code carlos completion}. */
@CommandGroup
class CompletionCommands {
    private final Console console;
    private final CommandTree commands;

    CompletionCommands(Console console, CommandTree commands) {
        this.console = console;
        this.commands = commands;
    }

    /** A shell that can be taught to complete. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Command(
            name = "completion",
            group = "About carlos",
            description = "Print the completion of carlos for a shell",
            help = """
                    bash: source <(carlos completion bash)            in ~/.bashrc
                    zsh:  source <(carlos completion zsh)             in ~/.zshrc, after compinit
                    fish: carlos completion fish | source             in ~/.config/fish/config.fish
                    Made again at each start of the shell, it knows the commands of the carlos that is installed.""")
    void completion(@Argument(index = 0, description = "bash, zsh or fish") Shell shell) throws IOException {
        List<CompletionNode> nodes = CompletionNode.all(commands);
        console.println(
                switch (shell) {
                    case BASH -> BashCompletion.script(nodes);
                    case ZSH -> ZshCompletion.script(nodes);
                    case FISH -> FishCompletion.script(nodes);
                });
    }
}

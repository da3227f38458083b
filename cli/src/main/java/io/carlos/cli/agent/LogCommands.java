package io.carlos.cli.agent;

import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.JsonOutput;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Printable;
import io.carlos.cli.console.StandardStream;
import io.carlos.model.admin.LogLines;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos logs}. */
@CommandGroup
class LogCommands {
    private static final long NO_WAIT = 0;
    private static final long WAIT_SECONDS = 20;

    private final Console console;

    LogCommands(Console console) {
        this.console = console;
    }

    @Command(
            name = "logs",
            group = "Instances",
            description = "Show what an instance of this box has printed lately",
            help = """
                    The agent keeps the newest lines of each instance since its own start; all of them are in the journal:
                    journalctl CARLOS_HOST=HOST. With --follow it goes on with those to come, until Ctrl-C.""")
    void logs(
            @Argument(index = 0, description = "The instance; this box has it") Host host,
            @Option(longName = "role", defaultValue = "run", description = "Which of its programs") Role role,
            @Option(longName = "follow", shortName = 'f', description = "Go on with the lines to come") boolean follow,
            @Option(longName = "output", defaultValue = "table", description = "table or json; json is one line each")
                    OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        AgentClient agent = new AgentClient(socket);
        long from = 1;
        boolean atEnd = false;
        while (!atEnd || follow) {
            long first = from;
            long wait = atEnd ? WAIT_SECONDS : NO_WAIT;
            LogLines page = agent.ask(api -> api.logs(host.value(), role.wireName(), first, wait));
            print(page, format);
            from = page.next();
            atEnd = page.lines().isEmpty();
        }
    }

    private void print(LogLines page, OutputFormat format) throws IOException {
        if (page.dropped() > 0) {
            console.errorln("carlos: " + page.dropped() + " lines are not kept any more; the journal has them");
        }
        for (LogLines.Line line : page.lines()) {
            switch (format) {
                case JSON -> JsonOutput.printLine(console, line);
                case TABLE -> console.out().write(text(line).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** On a terminal, without what would move its cursor. */
    private String text(LogLines.Line line) {
        String text = console.isTerminal(StandardStream.OUT) ? Printable.of(line.text()) : line.text();
        return line.continues() ? text : text + "\n";
    }
}

package io.carlos.cli.vm;

import io.carlos.cli.agent.AgentApi;
import io.carlos.cli.agent.AgentClient;
import io.carlos.cli.agent.ExecConnection;
import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.JsonOutput;
import io.carlos.cli.console.LocalTerminal;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Printable;
import io.carlos.cli.console.StandardStream;
import io.carlos.cli.console.Table;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.instances.EnvironmentEntry;
import io.carlos.model.admin.AdminApi;
import io.carlos.model.admin.VmRows;
import io.carlos.model.exec.ExecCommand;
import io.carlos.model.exec.TerminalSize;
import io.carlos.model.names.VmName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Arguments;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos vm}: machines by hand, which the agent of this box keeps. */
@CommandGroup
class VmCommands {
    private static final String GROUP = "Virtual machines";
    private static final String NAME = "The machine";
    private static final String TERM = "TERM";
    private static final String PLAIN_TERMINAL = "xterm";
    private static final TerminalSize USUAL_SIZE = new TerminalSize(24, 80);

    private final Console console;

    VmCommands(Console console) {
        this.console = console;
    }

    @Command(
            name = "vm create",
            group = GROUP,
            description = "Create a virtual machine on this box and print its id",
            help = """
                    It runs nothing until it is started. It has one directory of the box as /workspace, with the rights of the agent's
                    user and no others. One that is made for it is removed with it; and a machine ends when its agent does.""")
    void create(
            @Argument(index = 0, description = "Lower-case letters, digits and hyphens") VmName name,
            @Option(longName = "workspace", description = "A directory of the box; one is made when it is not given")
                    Optional<Path> workspace,
            @Option(
                            longName = "uid",
                            defaultValue = "" + AdminApi.DEFAULT_UID,
                            description = "Whom its commands run as")
                    int uid,
            @Option(longName = "output", defaultValue = "table", description = "table or json; table is the id alone")
                    OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        String directory = workspace
                .map(path -> path.toAbsolutePath().normalize().toString())
                .orElse(null);
        VmRows.Row row = new AgentClient(socket).ask(agent -> agent.createVm(name.value(), directory, uid));
        switch (format) {
            case JSON -> JsonOutput.print(console, row);
            case TABLE -> console.println(row.id());
        }
    }

    @Command(
            name = "vm start",
            group = GROUP,
            description = "Start a machine",
            help = "Returns when it takes commands. One that has stopped starts anew: only its workspace is as it was.")
    void start(
            @Argument(index = 0, description = NAME) VmName name,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket) {
        new AgentClient(socket).ask(agent -> {
            agent.startVm(name.value());
            return name;
        });
    }

    @Command(
            name = "vm stop",
            group = GROUP,
            description = "Stop a machine",
            help =
                    "Asks it to switch itself off, and kills it when it has not within the time. Its commands are cut off.")
    void stop(
            @Argument(index = 0, description = NAME) VmName name,
            @Option(longName = "timeout", defaultValue = "10s", description = "How long it has, at most 10m")
                    Duration timeout,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket) {
        new AgentClient(socket).ask(agent -> {
            agent.stopVm(name.value(), timeout.plusMillis(999).toSeconds());
            return name;
        });
    }

    @Command(
            name = "vm rm",
            group = GROUP,
            description = "Remove a machine, running or not, and the workspace that was made for it",
            help = "A directory that was given to it stays.")
    void remove(
            @Argument(index = 0, description = NAME) VmName name,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket) {
        new AgentClient(socket).ask(agent -> {
            agent.removeVm(name.value());
            return name;
        });
    }

    @Command(name = "vm list", group = GROUP, description = "List the machines of this box that were made by hand")
    void list(
            @Option(longName = "output", defaultValue = "table", description = "table or json") OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        List<VmRows.Row> rows = new AgentClient(socket).ask(AgentApi::vms).vms();
        switch (format) {
            case JSON -> JsonOutput.print(console, rows);
            case TABLE -> {
                Table table = new Table(
                        Table.left("NAME"),
                        Table.left("ID"),
                        Table.left("STATE"),
                        Table.left("SINCE"),
                        Table.right("UID"),
                        Table.left("WORKSPACE"),
                        Table.left("REASON"));
                rows.forEach(row -> table.row(
                        row.name(),
                        row.id(),
                        row.state(),
                        row.since(),
                        row.uid(),
                        Printable.of(row.workspace()),
                        Printable.of(row.reason())));
                console.println(table.render(console.colours()));
            }
        }
    }

    @Command(
            name = "vm exec",
            group = GROUP,
            description = "Execute a command in a running machine, with the streams of this one",
            help = """
                    Everything after -- is the command, which no shell reads: carlos vm exec -it NAME -- sh. Its exit code is the
                    exit code; 128 and the signal's number after a signal. Without -t, Ctrl-C asks it to end and a second Ctrl-C
                    kills it; with -it every key is the command's. The command's terminal keeps the size that this one has at the
                    start.""")
    int exec(
            @Argument(index = 0, description = NAME) VmName name,
            @Option(longName = "interactive", shortName = 'i', description = "Give it standard input; else it has none")
                    boolean interactive,
            @Option(longName = "tty", shortName = 't', description = "Give it a terminal; this one has to be one too")
                    boolean terminal,
            @Option(longName = "env", description = "KEY=VALUE in its environment; may be repeated")
                    List<EnvironmentEntry> environment,
            @Option(longName = "uid", description = "Whom it runs as; as the machine was created when it is not given")
                    Optional<Integer> uid,
            @Option(longName = "workdir", description = "An absolute directory of the machine; / when it is not given")
                    Optional<String> workdir,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket,
            @Arguments List<String> argv)
            throws IOException {
        if (argv.isEmpty()) {
            throw CliException.usage("there is no command; write it after --, as in carlos vm exec " + name + " -- id");
        }
        ExecCommand command = new ExecCommand(
                argv,
                environment(environment, terminal),
                uid.orElse(null),
                workdir.orElse(null),
                terminal ? terminalSize() : null);
        try (ExecConnection exec = new AgentClient(socket).exec(name, command);
                LocalTerminal _ = terminal && interactive ? LocalTerminal.raw() : null) {
            return new ExecSession(exec, console).run(interactive);
        }
    }

    private static Map<String, String> environment(List<EnvironmentEntry> entries, boolean terminal) {
        Map<String, String> environment = new HashMap<>();
        if (terminal) {
            environment.put(TERM, System.getenv().getOrDefault(TERM, PLAIN_TERMINAL));
        }
        entries.forEach(entry -> environment.put(entry.key(), entry.value()));
        return environment;
    }

    private TerminalSize terminalSize() throws IOException {
        if (!console.isTerminal(StandardStream.IN) || !console.isTerminal(StandardStream.OUT)) {
            throw CliException.usage(
                    "-t needs a terminal, and standard input or output is none; leave -t out, and keep -i"
                            + " for the input");
        }
        return LocalTerminal.size().orElse(USUAL_SIZE);
    }
}

package io.carlos.cli.agent;

import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.JsonOutput;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Table;
import io.carlos.model.admin.InstanceRows;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos instances start|stop|restart}: what the agent of this box does with its instances. */
@CommandGroup
class InstanceOperations {
    private static final String GROUP = "Instances";
    private static final String HOST = "The instance; this box has it";
    private static final String SIDECAR = "Its sidecar alone";
    private static final String OUTPUT = "table or json";

    private final Console console;

    InstanceOperations(Console console) {
        this.console = console;
    }

    @Command(
            name = "instances start",
            group = GROUP,
            description = "Start an instance of this box",
            help = "Returns when the instance accepts connections, and shows it.")
    void start(
            @Argument(index = 0, description = HOST) Host host,
            @Option(longName = "sidecar", description = SIDECAR) boolean sidecar,
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        operate(socket, host, format, agent -> agent.start(host.value(), role(sidecar)));
    }

    @Command(
            name = "instances stop",
            group = GROUP,
            description = "Stop an instance of this box and all that runs beside it",
            help = "It stays stopped, also when the box starts anew, until somebody starts it. Its data stay.")
    void stop(
            @Argument(index = 0, description = HOST) Host host,
            @Option(longName = "sidecar", description = SIDECAR) boolean sidecar,
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        operate(socket, host, format, agent -> agent.stop(host.value(), role(sidecar)));
    }

    @Command(name = "instances restart", group = GROUP, description = "Stop and start an instance of this box")
    void restart(
            @Argument(index = 0, description = HOST) Host host,
            @Option(longName = "sidecar", description = SIDECAR) boolean sidecar,
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        operate(socket, host, format, agent -> agent.restart(host.value(), role(sidecar)));
    }

    /** One request that returns when it is done. */
    @FunctionalInterface
    private interface Operation {
        void on(AgentApi agent);
    }

    private void operate(Path socket, Host host, OutputFormat format, Operation operation) throws IOException {
        List<InstanceRows.Row> after = new AgentClient(socket).ask(agent -> {
            operation.on(agent);
            return agent.instances().instances().stream()
                    .filter(row -> row.host().equals(host))
                    .toList();
        });
        switch (format) {
            case JSON -> {
                for (InstanceRows.Row row : after) {
                    JsonOutput.print(console, row);
                }
            }
            case TABLE -> console.println(table(after).render(console.colours()));
        }
    }

    private static Table table(List<InstanceRows.Row> rows) {
        Table table = new Table(Table.left("HOST"), Table.left("STATE"), Table.left("SINCE"), Table.left("REASON"));
        rows.forEach(row -> table.row(row.host(), row.state(), row.since(), row.reason()));
        return table;
    }

    private static String role(boolean sidecar) {
        return (sidecar ? Role.SIDECAR : Role.RUN).wireName();
    }
}

package io.carlos.cli.agent;

import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.JsonOutput;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Table;
import io.carlos.model.admin.BoxStatus;
import io.carlos.model.admin.DrainState;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos box status|probe|sweep|drain|resume}: the agent of this box. */
@CommandGroup
class BoxAgentCommands {
    private static final String GROUP = "Boxes";
    private static final String OUTPUT = "table or json";
    private static final int READY = 0;
    private static final int NOT_READY = 1;

    private final Console console;

    BoxAgentCommands(Console console) {
        this.console = console;
    }

    /** As on the wire of {@code --output json}. */
    private record ShownReport(boolean ready, List<ProbeLine> lines) {}

    @Command(name = "box status", group = GROUP, description = "Show how this box is and what its agent does")
    void status(
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        BoxStatus status = new AgentClient(socket).ask(AgentApi::status);
        print(format, status, BoxAgentCommands::table);
    }

    @Command(
            name = "box probe",
            group = GROUP,
            description = "Show whether this box is proven to isolate instances",
            help = "Exits with 0 when it is, with 1 when a line speaks against it: then nothing isolated starts.")
    int probe(
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        ProbeReport report = new AgentClient(socket).ask(AgentApi::probe);
        switch (format) {
            case JSON -> JsonOutput.print(console, new ShownReport(report.ready(), report.lines()));
            case TABLE -> console.println(table(report).render(console.colours()));
        }
        return report.ready() ? READY : NOT_READY;
    }

    @Command(
            name = "box sweep",
            group = GROUP,
            description = "Stop everything that runs in units of instances on this box",
            help =
                    "What should run stays down until carlos instances start, a run beside it, or the agent's next start.")
    void sweep(
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        SweepAnswer swept = new AgentClient(socket).ask(AgentApi::sweep);
        print(format, swept, answer -> {
            Table table = new Table(Table.left("STOPPED"));
            answer.units().forEach(table::row);
            return table;
        });
    }

    @Command(name = "box drain", group = GROUP, description = "Have this box pick no more runs", help = """
                    Runs that execute go on; a box that drains and has none may be stopped at no one's cost. It lasts until carlos
                    box resume, or until the agent starts anew.""")
    void drain(
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        print(format, new AgentClient(socket).ask(AgentApi::drain), BoxAgentCommands::table);
    }

    @Command(name = "box resume", group = GROUP, description = "Have this box pick runs again")
    void resume(
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket)
            throws IOException {
        print(format, new AgentClient(socket).ask(AgentApi::resume), BoxAgentCommands::table);
    }

    private <T> void print(OutputFormat format, T answer, Function<T, Table> table) throws IOException {
        switch (format) {
            case JSON -> JsonOutput.print(console, answer);
            case TABLE -> console.println(table.apply(answer).render(console.colours()));
        }
    }

    private static Table table(ProbeReport report) {
        Table table = new Table(Table.left("VERDICT"), Table.left("CHECK"), Table.left("DETAIL"));
        report.lines().forEach(line -> table.row(line.verdict(), line.check(), line.detail()));
        return table;
    }

    private static Table table(DrainState state) {
        return new Table(Table.left("PICKS RUNS"), Table.left("EXECUTING"))
                .row(state.draining() ? "no" : "yes", runs(state));
    }

    private static Table table(BoxStatus status) {
        Table table = new Table(Table.left("WHAT"), Table.left("VALUE"))
                .row("box", status.box())
                .row("region", status.region())
                .row("agent's start", "number " + status.epoch() + ", at " + status.startedAt())
                .row("may act", status.mayWrite() ? "yes" : "no: others may take the box for lost")
                .row("picks runs", status.drain().draining() ? "no: it drains" : "yes")
                .row("executing", runs(status.drain()))
                .row("instances", instances(status.instances()))
                .row("last pass", pass(status));
        if (status.passFailure() != null) {
            table.row("newest pass", "not complete: " + status.passFailure());
        }
        return table;
    }

    private static String runs(DrainState state) {
        return state.executing().isEmpty()
                ? "none"
                : state.executing().stream().map(RunId::value).collect(Collectors.joining(" "));
    }

    private static String instances(Map<String, Long> byState) {
        return byState.isEmpty()
                ? "none"
                : new TreeMap<>(byState)
                        .entrySet().stream()
                                .map(entry -> entry.getValue() + " " + entry.getKey())
                                .collect(Collectors.joining(", "));
    }

    private static String pass(BoxStatus status) {
        BoxStatus.Pass pass = status.lastPass();
        return pass == null
                ? "none yet"
                : "at " + pass.at() + ", " + pass.tookMs() + " ms, " + pass.listed() + " records, " + pass.unreadable()
                        + " unreadable";
    }
}

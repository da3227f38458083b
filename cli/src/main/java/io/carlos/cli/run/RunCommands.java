package io.carlos.cli.run;

import io.carlos.agent.local.LocalBoxes;
import io.carlos.agent.local.LocalRecords;
import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.JsonOutput;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Printable;
import io.carlos.cli.console.Table;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.instances.InstanceLocator;
import io.carlos.cli.store.OpenStore;
import io.carlos.cli.store.StoreAccess;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.RunHistory;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunOrder;
import io.carlos.store.location.StoreLocation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Arguments;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos run} and {@code carlos runs}. */
@CommandGroup
class RunCommands {
    private static final String GROUP = "Runs";

    private final Console console;
    private final StoreAccess stores = new StoreAccess(System.getenv());

    RunCommands(Console console) {
        this.console = console;
    }

    @Command(
            name = "run",
            group = GROUP,
            description = "Execute one command beside an instance, once, and show its output",
            help = """
                    Everything after -- is the command. Its exit code is the exit code; 128 and the signal's number after a signal.
                    Ctrl-C cancels the run and shows the rest of it; a second Ctrl-C leaves it alone.""")
    int run(
            @Option(longName = "host", required = true, description = "The instance") Host host,
            @Option(longName = "app", description = "Its app, where the host alone does not tell") Optional<App> app,
            @Option(longName = "account", description = "Its account, likewise") Optional<Account> account,
            @Option(longName = "file", description = "NAME or NAME=PATH of an input file; may be repeated")
                    List<String> files,
            @Option(longName = "timeout", defaultValue = "1h", description = "How long the command may take")
                    Duration timeout,
            @Option(longName = "detach", description = "Print the run's id and do not follow it") boolean detach,
            @Option(longName = "output", defaultValue = "table", description = "table or json") OutputFormat format,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store,
            @Arguments List<String> argv)
            throws IOException, InterruptedException {
        Orders.check(argv, timeout);
        try (OpenStore open = stores.openExisting(store)) {
            RecordRef ref = new InstanceLocator(open)
                    .byHost(host, account, app)
                    .orElseGet(() -> newRecord(open, host, account, app));
            RunOrder order = new RunOrder(ref, argv, timeout, Orders.whoAsks(), Orders.inputs(files));
            RunSession session = new RunSession(open, region(open, ref), console, format, () -> {});
            return detach ? session.detach(order) : session.run(order);
        }
    }

    @Command(
            name = "runs follow",
            group = GROUP,
            description = "Show a run's output, from the start or a later point, to its end")
    int follow(
            @Argument(index = 0, description = "The run") RunId id,
            @Option(longName = "from", defaultValue = "1", description = "The seq of the first chunk to show")
                    long from,
            @Option(longName = "output", defaultValue = "table", description = "table or json") OutputFormat format,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException, InterruptedException {
        if (from < 1 || from > RunKeys.MAX_SEQ) {
            throw CliException.usage("--from is the seq of a chunk, 1 to " + RunKeys.MAX_SEQ);
        }
        try (OpenStore open = stores.openExisting(store)) {
            RecordRef ref = new RunLocator(open).byRun(id).request().recordRef();
            return new RunSession(open, region(open, ref), console, format, () -> {}).follow(ref, id, from);
        }
    }

    @Command(name = "runs cancel", group = GROUP, description = "Stop a run, or keep a queued one from starting")
    void cancel(
            @Argument(index = 0, description = "The run") RunId id,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException, InterruptedException {
        try (OpenStore open = stores.openExisting(store)) {
            RecordRef ref = new RunLocator(open).byRun(id).request().recordRef();
            ChangeOutcome outcome = open.closer().cancel(ref, id);
            if (outcome instanceof ChangeOutcome.Refused refused) {
                throw new CliException(CliExit.REFUSED, "the run was not cancelled: " + refused.detail());
            }
            open.bump(region(open, ref));
        }
    }

    @Command(name = "runs list", group = GROUP, description = "List runs, the newest first")
    void list(
            @Option(longName = "host", description = "Only those of an instance") Optional<Host> host,
            @Option(longName = "limit", defaultValue = "20", description = "At most so many") int limit,
            @Option(longName = "output", defaultValue = "table", description = "table or json") OutputFormat format,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException {
        try (OpenStore open = stores.openExisting(store)) {
            List<ListedRun> runs = new RunLocator(open)
                    .runs().stream()
                            .flatMap(keys -> ListedRun.read(open, keys).stream())
                            .filter(run -> host.map(run::isOf).orElse(true))
                            .sorted(ListedRun.ORDER)
                            .limit(limit)
                            .toList();
            switch (format) {
                case JSON ->
                    JsonOutput.print(console, runs.stream().map(ListedRun::json).toList());
                case TABLE -> {
                    Table table = new Table(
                            Table.left("RUN"),
                            Table.left("HOST"),
                            Table.left("STATE"),
                            Table.left("EXIT"),
                            Table.left("ASKED FOR"),
                            Table.right("BYTES"),
                            Table.left("COMMAND"));
                    runs.forEach(run -> table.row(run.row()));
                    console.println(table.render(console.colours()));
                }
            }
        }
    }

    @Command(name = "runs show", group = GROUP, description = "Show what is stored about a run")
    void show(
            @Argument(index = 0, description = "The run") RunId id,
            @Option(longName = "output", defaultValue = "table", description = "table or json") OutputFormat format,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException {
        try (OpenStore open = stores.openExisting(store)) {
            RunHistory history = new RunLocator(open).byRun(id);
            switch (format) {
                case JSON -> JsonOutput.print(console, history);
                case TABLE -> {
                    Table table = new Table(
                            Table.left("RUN"),
                            Table.left("HOST"),
                            Table.left("STATE"),
                            Table.left("EXIT"),
                            Table.right("BYTES"));
                    table.row(
                            id,
                            history.request().host(),
                            RunStory.state(history),
                            RunStory.exit(history),
                            history.output().bytes());
                    console.println(table.render(console.colours()));
                }
            }
        }
    }

    @Command(name = "runs explain", group = GROUP, description = "Tell a run's whole history, from what is stored")
    void explain(
            @Argument(index = 0, description = "The run") RunId id,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException {
        try (OpenStore open = stores.openExisting(store)) {
            for (String line : RunStory.lines(new RunLocator(open).byRun(id))) {
                console.println(Printable.of(line));
            }
        }
    }

    private RecordRef newRecord(OpenStore open, Host host, Optional<Account> account, Optional<App> app) {
        if (!open.hasLocalBoxes()) {
            throw new CliException(CliExit.UNAVAILABLE, "there is no instance " + host + " in " + open.location());
        }
        RecordRef ref =
                new RecordRef(account.orElse(RunLocator.DEFAULT_ACCOUNT), app.orElse(RunLocator.DEFAULT_APP), host);
        new LocalRecords(open.objects(), open.records())
                .ensure(ref, null, open.scheduler().now());
        return ref;
    }

    private static String region(OpenStore open, RecordRef ref) {
        return open.records()
                .read(ref)
                .map(StoredRecord::record)
                .map(InstanceRecord::region)
                .orElse(LocalBoxes.REGION);
    }
}

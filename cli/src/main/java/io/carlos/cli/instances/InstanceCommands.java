package io.carlos.cli.instances;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.carlos.cli.agent.AgentApi;
import io.carlos.cli.agent.AgentClient;
import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.JsonOutput;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Printable;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.store.OpenStore;
import io.carlos.cli.store.StoreAccess;
import io.carlos.model.admin.InstanceRows;
import io.carlos.model.fleet.Heartbeats;
import io.carlos.model.fleet.Moves;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Seed;
import io.carlos.model.records.UnreadableRecordException;
import io.carlos.store.InvalidKeyException;
import io.carlos.store.ObjectKey;
import io.carlos.store.location.StoreLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.shell.core.command.annotation.Argument;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos instances}: what is stored about instances. */
@CommandGroup
class InstanceCommands {
    private static final String GROUP = "Instances";
    private static final String HOST = "The instance";
    private static final String APP = "Its app, where the host alone does not tell";
    private static final String ACCOUNT = "Its account, likewise";
    private static final String OUTPUT = "table or json";
    private static final String HERE = """
            On a box, to root and to the agent's user, it also tells where the instances of that box are: running, stopped,
            crashed.""";

    private final Console console;
    private final StoreAccess stores = new StoreAccess(System.getenv());

    InstanceCommands(Console console) {
        this.console = console;
    }

    /** As on the wire of {@code --output json}: the record's own members and, on its box, what that knows of it. */
    private record ShownInstance(
            @JsonUnwrapped InstanceRecord record,
            @JsonInclude(JsonInclude.Include.NON_NULL) InstanceRows.@Nullable Row here) {}

    @Command(
            name = "instances list",
            group = GROUP,
            description = "List instances, with the boxes that own them",
            help = HERE)
    void list(
            @Option(longName = "region", description = "Only those of a region") Optional<String> region,
            @Option(longName = "box", description = "Only those of a box") Optional<String> box,
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException, InterruptedException {
        try (OpenStore open = stores.openExisting(store)) {
            Set<String> lost = lostBoxes(open);
            Map<RecordRef, InstanceRows.Row> here = rowsHere(socket);
            List<ListedInstance> instances = new ArrayList<>();
            for (RecordRef ref : new InstanceLocator(open).refs(ref -> true)) {
                readable(open, ref)
                        .filter(record -> region.map(record.region()::equals).orElse(true))
                        .filter(record ->
                                box.map(label -> label.equals(record.box())).orElse(true))
                        .ifPresent(record -> instances.add(ListedInstance.of(record, lost, here.get(ref))));
            }
            switch (format) {
                case JSON -> JsonOutput.print(console, instances);
                case TABLE -> console.println(ListedInstance.table(instances).render(console.colours()));
            }
        }
    }

    @Command(name = "instances show", group = GROUP, description = "Show the record of an instance", help = HERE)
    void show(
            @Argument(index = 0, description = HOST) Host host,
            @Option(longName = "app", description = APP) Optional<App> app,
            @Option(longName = "account", description = ACCOUNT) Optional<Account> account,
            @Option(longName = "output", defaultValue = "table", description = OUTPUT) OutputFormat format,
            @Option(longName = "socket", defaultValue = AgentClient.DEFAULT_SOCKET, description = AgentClient.SOCKET)
                    Path socket,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException, InterruptedException {
        try (OpenStore open = stores.openExisting(store)) {
            RecordRef ref = new InstanceLocator(open).existing(host, account, app);
            InstanceRecord record = open.records()
                    .read(ref)
                    .orElseThrow(() -> InstanceChanges.gone(ref))
                    .record();
            InstanceRows.Row here = rowsHere(socket).get(ref);
            switch (format) {
                case JSON -> JsonOutput.print(console, new ShownInstance(record, here));
                case TABLE ->
                    console.println(ListedInstance.table(List.of(ListedInstance.of(record, lostBoxes(open), here)))
                            .render(console.colours()));
            }
        }
    }

    @Command(
            name = "instances create",
            group = GROUP,
            description = "Make the record of a new instance; a box of its region takes it",
            help = """
                    A box of the region and of one of the pools claims the instance with its next look at the store. Without --pool
                    any box of the region may.""")
    void create(
            @Argument(index = 0, description = "The new instance's host") Host host,
            @Option(longName = "account", required = true, description = "The account it belongs to") Account account,
            @Option(longName = "app", required = true, description = "The app it is an instance of") App app,
            @Option(longName = "region", required = true, description = "The region it is to be in") String region,
            @Option(longName = "pool", description = "A pool of boxes; may be repeated") List<String> pools,
            @Option(longName = "channel", defaultValue = "stable", description = "The channel of its releases")
                    String channel,
            @Option(longName = "isolation", defaultValue = "unit", description = "What keeps it apart from others")
                    Isolation isolation,
            @Option(longName = "memory", defaultValue = "512M", description = "512M or 1G") MemorySize memory,
            @Option(longName = "env", description = "KEY=VALUE of its environment; may be repeated")
                    List<EnvironmentEntry> env,
            @Option(
                            longName = "seed",
                            description = "fresh: its program is called once with \"seed\" before its first start")
                    Optional<Seed.Kind> seed,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException {
        requireSegment("--region", region);
        try (OpenStore open = stores.openExisting(store)) {
            RecordRef ref = new RecordRef(account, app, host);
            InstanceRecord record = InstanceRecord.created(
                    ref,
                    app.toString(),
                    region,
                    channel,
                    pools,
                    open.scheduler().now(),
                    isolation,
                    memory.tier().maxBytes(),
                    environment(env));
            if (seed.isPresent()) {
                record = record.withSeed(new Seed(seed.get(), Seed.State.PLACED));
            }
            if (open.records().create(record).isEmpty()) {
                throw new CliException(
                        CliExit.REFUSED, "there is an instance " + ref + " already; nothing was changed");
            }
            open.bump(region);
        }
    }

    @Command(name = "instances move", group = GROUP, description = "Give an instance to another box", help = """
                    A run that is executing keeps the instance where it is, unless its box is lost: then the run is closed as
                    interrupted first. Such a box may come back; it acts on nothing before it has seen that it was taken for lost.
                    A box has one instance of a host at a time, whosever it is, those in the trash included.""")
    void move(
            @Argument(index = 0, description = HOST) Host host,
            @Option(longName = "to", required = true, description = "The box; see carlos box list") String box,
            @Option(longName = "app", description = APP) Optional<App> app,
            @Option(longName = "account", description = ACCOUNT) Optional<Account> account,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException, InterruptedException {
        requireSegment("--to", box);
        try (OpenStore open = stores.openExisting(store)) {
            RecordRef ref = new InstanceLocator(open).existing(host, account, app);
            new InstanceMove(open, InstanceChanges.record(open, ref)).to(box);
        }
    }

    @Command(name = "instances trash", group = GROUP, description = "Put an instance into the trash; its data stay")
    void trash(
            @Argument(index = 0, description = HOST) Host host,
            @Option(longName = "app", description = APP) Optional<App> app,
            @Option(longName = "account", description = ACCOUNT) Optional<Account> account,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException, InterruptedException {
        try (OpenStore open = stores.openExisting(store)) {
            RecordRef ref = new InstanceLocator(open).existing(host, account, app);
            String region = InstanceChanges.record(open, ref).region();
            Instant now = open.scheduler().now();
            InstanceChanges.requireApplied(
                    ref, "put into the trash", open.records().change(ref, newest -> Moves.trash(newest, now)));
            open.bump(region);
        }
    }

    /** Before anything is stored: what is part of keys. */
    private static void requireSegment(String option, String value) {
        try {
            ObjectKey.segment(value);
        } catch (InvalidKeyException e) {
            throw CliException.usage(option + ": " + e.getMessage());
        }
    }

    /** What the agent of this box knows of its instances; nothing where there is none. */
    private Map<RecordRef, InstanceRows.Row> rowsHere(Path socket) throws IOException, InterruptedException {
        List<String> warnings = new ArrayList<>();
        Optional<InstanceRows> rows = new AgentClient(socket).askIfHere(AgentApi::instances, warnings::add);
        for (String warning : warnings) {
            console.errorln("carlos: " + Printable.of(warning));
        }
        return rows.map(InstanceRows::instances).orElse(List.of()).stream()
                .collect(Collectors.toMap(InstanceRows.Row::ref, Function.identity()));
    }

    /** One that another version wrote must not hide the rest. */
    private Optional<InstanceRecord> readable(OpenStore open, RecordRef ref) throws IOException {
        try {
            return open.records().read(ref).map(stored -> stored.record());
        } catch (UnreadableRecordException e) {
            console.errorln("carlos: left out: " + Printable.of(String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private static Set<String> lostBoxes(OpenStore open) {
        Instant now = open.scheduler().now();
        return Heartbeats.read(open.objects()).stream()
                .filter(beat -> beat.isOverdue(now))
                .map(beat -> beat.region() + "/" + beat.box())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Map<String, String> environment(List<EnvironmentEntry> entries) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (EnvironmentEntry entry : entries) {
            if (environment.put(entry.key(), entry.value()) != null) {
                throw CliException.usage("--env gives " + entry.key() + " twice");
            }
        }
        return environment;
    }
}

package io.carlos.cli.instances;

import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.JsonOutput;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Table;
import io.carlos.cli.store.OpenStore;
import io.carlos.cli.store.StoreAccess;
import io.carlos.model.fleet.Heartbeat;
import io.carlos.model.fleet.Heartbeats;
import io.carlos.store.location.StoreLocation;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos box}. */
@CommandGroup
class BoxCommands {
    private final Console console;
    private final StoreAccess stores = new StoreAccess(System.getenv());

    BoxCommands(Console console) {
        this.console = console;
    }

    /** As on the wire of {@code --output json}. */
    private record SeenBox(String box, String region, long epoch, Instant at, boolean lost) {}

    @Command(
            name = "box list",
            group = "Boxes",
            description = "List the boxes that have shown themselves in the store, and which are lost")
    void list(
            @Option(longName = "output", defaultValue = "table", description = "table or json") OutputFormat format,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException {
        try (OpenStore open = stores.openExisting(store)) {
            Instant now = open.scheduler().now();
            List<SeenBox> boxes = Heartbeats.read(open.objects()).stream()
                    .map(beat -> seen(beat, now))
                    .toList();
            switch (format) {
                case JSON -> JsonOutput.print(console, boxes);
                case TABLE -> {
                    Table table = new Table(
                            Table.left("BOX"),
                            Table.left("REGION"),
                            Table.left("STATE"),
                            Table.right("SECONDS AGO"),
                            Table.right("STARTS"));
                    boxes.forEach(box -> table.row(
                            box.box(),
                            box.region(),
                            box.lost() ? "lost" : "alive",
                            Math.max(0, Duration.between(box.at(), now).toSeconds()),
                            box.epoch()));
                    console.println(table.render(console.colours()));
                }
            }
        }
    }

    private static SeenBox seen(Heartbeat beat, Instant now) {
        return new SeenBox(beat.box(), beat.region(), beat.epoch(), beat.at(), beat.isOverdue(now));
    }
}

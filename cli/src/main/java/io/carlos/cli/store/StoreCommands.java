package io.carlos.cli.store;

import io.carlos.cli.command.CommandGroup;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.JsonOutput;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.Printable;
import io.carlos.cli.console.Table;
import io.carlos.store.PreflightReport;
import io.carlos.store.location.StoreLocation;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.shell.core.command.annotation.Command;
import org.springframework.shell.core.command.annotation.Option;

/** {@code carlos store}. */
@CommandGroup
class StoreCommands {
    private static final int ACCEPTED = 0;
    private static final int REFUSED = 1;

    private final Console console;
    private final StoreAccess stores = new StoreAccess(System.getenv());

    StoreCommands(Console console) {
        this.console = console;
    }

    /** As on the wire of {@code --output json}. */
    private record CheckedStore(String store, boolean accepted, List<CheckedLine> lines) {}

    private record CheckedLine(String check, String verdict, String title, String detail) {}

    @Command(
            name = "store check",
            group = "The store",
            description = "Prove that a store keeps every promise that boxes depend on",
            help = """
                    Writes some twenty small objects below preflight/ and removes them again. Exits with 0 when the store may be
                    used, with 1 when one line speaks against it; an agent refuses to start on such a store.""")
    int check(
            @Option(longName = "output", defaultValue = "table", description = "table or json") OutputFormat format,
            @Option(longName = "store", description = StoreAccess.STORE) Optional<StoreLocation> store)
            throws IOException {
        try (OpenStore open = stores.openExisting(store)) {
            PreflightReport report = open.preflight();
            switch (format) {
                case JSON ->
                    JsonOutput.print(
                            console,
                            new CheckedStore(
                                    open.location().toString(),
                                    report.isAccepted(),
                                    report.lines().stream()
                                            .map(StoreCommands::line)
                                            .toList()));
                case TABLE -> {
                    Table table = new Table(Table.left("VERDICT"), Table.left("CHECK"), Table.left("DETAIL"));
                    report.lines()
                            .forEach(line ->
                                    table.row(word(line.verdict()), line.check().title(), line.detail()));
                    console.println(table.render(console.colours()));
                }
            }
            if (report.isAccepted()) {
                return ACCEPTED;
            }
            PreflightReport.Line objection = report.objection().orElseThrow();
            console.errorln(Printable.of("carlos: the store is refused: " + open.location() + ": " + objection));
            return REFUSED;
        }
    }

    private static CheckedLine line(PreflightReport.Line line) {
        return new CheckedLine(
                word(line.check()).replace('_', '-'),
                word(line.verdict()),
                line.check().title(),
                line.detail());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}

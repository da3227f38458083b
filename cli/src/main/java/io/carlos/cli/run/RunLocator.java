package io.carlos.cli.run;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.instances.InstanceLocator;
import io.carlos.cli.store.OpenStore;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.InvalidNameException;
import io.carlos.model.runs.RunHistory;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.store.ListedObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds what a person means by less than its full name. */
final class RunLocator {
    static final Account DEFAULT_ACCOUNT = Account.of("local");
    static final App DEFAULT_APP = App.of("local");

    private static final String RUNS = "runs/";

    private final OpenStore store;

    RunLocator(OpenStore store) {
        this.store = store;
    }

    /** The run, whichever account and app it is of. */
    RunHistory byRun(RunId id) {
        Set<RunKeys> places = new LinkedHashSet<>();
        new InstanceLocator(store)
                .refs(ref -> true)
                .forEach(ref -> places.add(new RunKeys(ref.account(), ref.app(), id)));
        return places.stream()
                .flatMap(keys -> RunHistory.read(store.objects(), store.records(), keys).stream())
                .findFirst()
                .orElseThrow(
                        () -> new CliException(CliExit.UNAVAILABLE, "there is no " + id + " in " + store.location()));
    }

    /** Every run of the store. Run ids are random, so the order says nothing. */
    List<RunKeys> runs() {
        List<RunKeys> found = new ArrayList<>();
        String after = "";
        while (true) {
            List<ListedObject> next = store.objects().list(RUNS, after, 1);
            if (next.isEmpty()) {
                return found;
            }
            String[] segments = next.getFirst().key().value().split("/", -1);
            try {
                RunKeys keys = new RunKeys(Account.of(segments[1]), App.of(segments[2]), RunId.of(segments[3]));
                found.add(keys);
                // Past everything else of this run: no character of a key comes after '~'.
                after = RUNS + keys.account() + "/" + keys.app() + "/" + keys.id() + "/~";
            } catch (InvalidNameException | ArrayIndexOutOfBoundsException e) {
                after = next.getFirst().key().value(); // something else lies there; it is in nobody's way
            }
        }
    }
}

package io.carlos.cli.run;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.RunId;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the record that a person means by less than its full name. */
final class RunLocator {
    static final Account DEFAULT_ACCOUNT = Account.of("local");
    static final App DEFAULT_APP = App.of("local");

    private final OpenStore store;

    RunLocator(OpenStore store) {
        this.store = store;
    }

    /** The only record of a host, among those of the account and app where they are given; empty when there is none. */
    Optional<RecordRef> byHost(Host host, Optional<Account> account, Optional<App> app) {
        List<RecordRef> found = refs(ref -> ref.host().equals(host)
                && account.map(ref.account()::equals).orElse(true)
                && app.map(ref.app()::equals).orElse(true));
        if (found.size() > 1) {
            throw CliException.usage(host
                    + " is an instance of several apps: name one with --account and --app, such as" + " --account "
                    + found.getFirst().account() + " --app " + found.getFirst().app());
        }
        return found.stream().findFirst();
    }

    /** The record whose newest run this is. */
    RecordRef byRun(RunId id) {
        return refs(ref -> true).stream()
                .filter(ref -> store.records()
                        .read(ref)
                        .map(StoredRecord::record)
                        .flatMap(InstanceRecord::run)
                        .filter(run -> run.id().equals(id))
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> new CliException(
                        CliExit.UNAVAILABLE, "no instance in " + store.root() + " has " + id + " as its newest run"));
    }

    private List<RecordRef> refs(Predicate<RecordRef> wanted) {
        List<RecordRef> found = new ArrayList<>();
        String after = "";
        List<ListedObject> page;
        do {
            page = store.objects().list(RecordRef.PREFIX, after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject listed : page) {
                after = listed.key().value();
                RecordRef.parse(listed.key()).filter(wanted).ifPresent(found::add);
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
        return found;
    }
}

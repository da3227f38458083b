package io.carlos.cli.run;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunRequest;
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

    /** The record of a run: the one whose newest it is, else the one that it was asked of. */
    RecordRef byRun(RunId id) {
        List<RecordRef> all = refs(ref -> true);
        return all.stream()
                .filter(ref -> isNewest(ref, id))
                .findFirst()
                .or(() -> byRequest(all, id))
                .orElseThrow(
                        () -> new CliException(CliExit.UNAVAILABLE, "there is no run " + id + " in " + store.root()));
    }

    private boolean isNewest(RecordRef ref, RunId id) {
        return store.records()
                .read(ref)
                .map(StoredRecord::record)
                .flatMap(InstanceRecord::run)
                .filter(run -> run.id().equals(id))
                .isPresent();
    }

    private Optional<RecordRef> byRequest(List<RecordRef> all, RunId id) {
        return all.stream()
                .map(ref -> new RunKeys(ref.account(), ref.app(), id))
                .distinct()
                .flatMap(keys -> store.objects().get(keys.request()).stream())
                .map(stored -> CarlosJson.read("run request", stored.value(), RunRequest.class, RunRequest.SCHEMA)
                        .recordRef())
                .findFirst();
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

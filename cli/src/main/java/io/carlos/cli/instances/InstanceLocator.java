package io.carlos.cli.instances;

import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.cli.store.OpenStore;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.records.RecordRef;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds the record that a person means by a host. */
public final class InstanceLocator {
    private final OpenStore store;

    public InstanceLocator(OpenStore store) {
        this.store = store;
    }

    /** The only record of a host, among those of the account and app where they are given; empty when there is none. */
    public Optional<RecordRef> byHost(Host host, Optional<Account> account, Optional<App> app) {
        List<RecordRef> found = refs(ref -> ref.host().equals(host)
                && account.map(ref.account()::equals).orElse(true)
                && app.map(ref.app()::equals).orElse(true));
        if (found.size() > 1) {
            throw CliException.usage(
                    host + " is an instance of several apps: name one with --account and --app, such as"
                            + " --account " + found.getFirst().account() + " --app "
                            + found.getFirst().app());
        }
        return found.stream().findFirst();
    }

    /** The same, for a command that can do nothing without one. */
    RecordRef existing(Host host, Optional<Account> account, Optional<App> app) {
        return byHost(host, account, app)
                .orElseThrow(() -> new CliException(
                        CliExit.UNAVAILABLE,
                        "there is no instance " + host + " in " + store.location()
                                + ": see all with carlos instances list"));
    }

    /** Every record's name that is wanted, in the order of their keys. */
    public List<RecordRef> refs(Predicate<RecordRef> wanted) {
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

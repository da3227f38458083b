package io.carlos.model.fleet;

import io.carlos.model.json.InvalidDocumentException;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;

/** The heartbeats of a store, as somebody sees them who looks once. */
public final class Heartbeats {
    private Heartbeats() {}

    /**
     * One for each box of every region, by region and box. One that cannot be read is left out.
     *
     * @throws io.carlos.store.StoreException the store failed
     */
    public static List<Heartbeat> read(ObjectStore store) {
        List<Heartbeat> found = new ArrayList<>();
        String after = "";
        List<ListedObject> page;
        do {
            page = store.list(Heartbeat.PREFIX, after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject listed : page) {
                after = listed.key().value();
                store.get(listed.key()).ifPresent(object -> {
                    try {
                        found.add(Heartbeat.decode(object));
                    } catch (InvalidDocumentException e) {
                        // Written by another version, or by no agent at all; it says nothing about a box.
                    }
                });
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
        return found;
    }
}

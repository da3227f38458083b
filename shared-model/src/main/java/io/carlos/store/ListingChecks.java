package io.carlos.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether what the store tells of an object in one way is what it tells in another. */
final class ListingChecks {
    private final ObjectStore store;
    private final @Nullable StoreProbe probe;
    private final Scratch scratch;

    ListingChecks(ObjectStore store, @Nullable StoreProbe probe, Scratch scratch) {
        this.store = store;
        this.probe = probe;
        this.scratch = scratch;
    }

    Finding etagsAgree() {
        ObjectKey key = scratch.key("etag");
        store.put(key, Scratch.value(), Precondition.NONE);
        Map<String, String> etags = new LinkedHashMap<>();
        etags.put("put", store.put(key, Scratch.value(), Precondition.NONE));
        etags.put("get", store.get(key).map(StoredObject::etag).orElse("none"));
        if (probe != null) {
            etags.put("head", probe.headEtag(key).orElse("none"));
        }
        Optional<ListedObject> row = store.list(key.value(), "", 1).stream().findFirst();
        etags.put("list", row.map(ListedObject::etag).orElse("none"));
        return etags.values().stream().distinct().count() == 1 ? Finding.PASSED : Finding.refused(etags.toString());
    }

    Finding listedAtOnce() {
        List<ObjectKey> put = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            put.add(scratch.key("listed/" + i));
            store.put(put.getLast(), Scratch.value(), Precondition.NONE);
            List<ObjectKey> listed = list("listed/", "", 100);
            if (!listed.equals(put)) {
                return Finding.refused("after " + put.size() + " puts " + listed.size() + " keys are listed");
            }
        }
        return Finding.PASSED;
    }

    Finding startAfterIsExclusive() {
        List<String> inOrder = List.of("B", "a", "a-b", "a/b", "a0", "b");
        for (String name : inOrder) {
            store.put(scratch.key("order/" + name), Scratch.value(), Precondition.NONE);
        }
        List<ObjectKey> keys =
                inOrder.stream().map(name -> scratch.key("order/" + name)).toList();
        for (int i = 0; i < keys.size(); i++) {
            List<ObjectKey> expected = keys.subList(i + 1, keys.size());
            List<ObjectKey> listed = list("order/", keys.get(i).value(), 100);
            if (!listed.equals(expected)) {
                return Finding.refused("after " + keys.get(i) + ": expected " + expected + ", listed " + listed);
            }
        }
        return Finding.PASSED;
    }

    private List<ObjectKey> list(String rest, String startAfter, int limit) {
        return store.list(scratch.prefix() + rest, startAfter, limit).stream()
                .map(ListedObject::key)
                .toList();
    }
}

package io.carlos.agent.simulation;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.RecordRef;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreException;
import io.carlos.store.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** A box's way to the store as it would look if the box's code had one of the bugs of {@link Variant}. */
final class BrokenStore implements ObjectStore {
    private final World world;
    private final SimulatedProcess process;
    private final String bootId;
    private final ObjectStore store;
    private final Map<ObjectKey, byte[]> heldResults = new HashMap<>();

    BrokenStore(World world, SimulatedProcess process, String bootId, ObjectStore store) {
        this.world = world;
        this.process = process;
        this.bootId = bootId;
        this.store = store;
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        return store.get(key).map(this::seen);
    }

    private StoredObject seen(StoredObject object) {
        if (world.variant() == Variant.ABANDONED_TOO_EARLY
                && object.key().value().startsWith("clock/")) {
            return new StoredObject(object.key(), object.value(), object.etag(), process.now());
        }
        if (!object.key().value().startsWith(RecordRef.PREFIX)) {
            return object;
        }
        ObjectNode record = (ObjectNode) CarlosJson.mapper().readTree(object.value());
        if (!(record.get("active_run") instanceof ObjectNode run)) {
            return object;
        }
        String state = run.get("state").asString();
        if (world.variant() == Variant.CANCEL_IGNORED_IN_PREPARE && state.equals("cancel")) {
            run.put("state", "picked");
        }
        if (world.variant() == Variant.SECOND_BOOT_EXECUTES
                && state.equals("picked")
                && !bootId.equals(run.get("boot_id").asString())) {
            run.put("state", "queued")
                    .put("deadline", process.now().plusSeconds(60).toString());
        }
        return new StoredObject(object.key(), CarlosJson.write(record), object.etag(), object.lastModified());
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        boolean chunk = key.value().contains("/out/");
        boolean result = key.value().endsWith("/result.json");
        return switch (world.variant()) {
            case DONE_BEFORE_RESULT -> result ? hold(key, value) : putThenHeld(key, value, precondition);
            case CHUNKS_IN_BACKGROUND ->
                chunk ? putLater(key, value, precondition) : store.put(key, value, precondition);
            case CHUNK_DROPPED -> chunk ? putOrNot(key, value, precondition) : store.put(key, value, precondition);
            case CHUNK_REPEATED -> chunk ? putAgain(key, value, precondition) : store.put(key, value, precondition);
            case LAST_RESULT_WINS -> store.put(key, value, result ? Precondition.NONE : precondition);
            default -> store.put(key, value, precondition);
        };
    }

    private String hold(ObjectKey key, byte[] value) {
        heldResults.put(key, value);
        return "held";
    }

    private String putThenHeld(ObjectKey key, byte[] value, Precondition precondition) {
        String etag = store.put(key, value, precondition);
        if (key.value().startsWith(RecordRef.PREFIX)) {
            heldResults.forEach((held, result) -> store.put(held, result, Precondition.NONE));
            heldResults.clear();
        }
        return etag;
    }

    private String putLater(ObjectKey key, byte[] value, Precondition precondition) {
        process.fork("background " + key, () -> {
            try {
                store.put(key, value, precondition);
            } catch (StoreException e) {
                world.trace("in the background: " + e.getMessage());
            }
        });
        return "later";
    }

    private String putOrNot(ObjectKey key, byte[] value, Precondition precondition) {
        try {
            return store.put(key, value, precondition);
        } catch (StoreException e) {
            return "dropped";
        }
    }

    private String putAgain(ObjectKey key, byte[] value, Precondition precondition) {
        try {
            return store.put(key, value, precondition);
        } catch (AmbiguousWriteException e) {
            int at = key.value().lastIndexOf('/') + 1;
            long seq = Long.parseLong(key.value().substring(at, at + 10)) + 1;
            String next = key.value().substring(0, at)
                    + String.format("%010d", seq)
                    + key.value().substring(at + 10);
            return store.put(ObjectKey.of(next), value, precondition);
        }
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        return store.getUnlessMatch(key, knownEtag);
    }

    @Override
    public void delete(ObjectKey key) {
        store.delete(key);
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        return store.list(prefix, startAfter, limit);
    }
}

package io.carlos.agent.simulation;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.RecordRef;
import io.carlos.model.runs.RunId;
import io.carlos.model.time.SimulatedProcess;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreException;
import io.carlos.store.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A box's way to the store as it would look if the box's code had one of the bugs of {@link Variant}. */
final class BrokenStore implements ObjectStore {
    /** By how much the box that never looks at its lease believes it to be longer than its record says. */
    static final Duration LEASE_TOO_LONG = Duration.ofHours(10);

    private static final Duration PICK_LATE_BY = Duration.ofSeconds(35);
    private static final Duration AN_HOUR_AGO = Duration.ofHours(-1);
    private static final Duration FOR_EVER = Duration.ofDays(1_000);

    private final World world;
    private final SimulatedProcess process;
    private final String box;
    private final String bootId;
    private final ObjectStore store;
    private final Map<ObjectKey, byte[]> heldResults = new HashMap<>();
    private final Map<RunId, JsonNode> attempts = new HashMap<>();

    BrokenStore(World world, SimulatedProcess process, String box, String bootId, ObjectStore store) {
        this.world = world;
        this.process = process;
        this.box = box;
        this.bootId = bootId;
        this.store = store;
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        return store.get(key).map(this::seen);
    }

    private StoredObject seen(StoredObject object) {
        if (!object.key().value().startsWith(RecordRef.PREFIX)) {
            return object;
        }
        ObjectNode record = (ObjectNode) CarlosJson.mapper().readTree(object.value());
        if (!(record.get("active_run") instanceof ObjectNode run)) {
            return object;
        }
        lie(record, run);
        return new StoredObject(object.key(), CarlosJson.write(record), object.etag(), object.lastModified());
    }

    /** Shows a record as code would take it that overlooks something. */
    private void lie(ObjectNode record, ObjectNode run) {
        String state = run.get("state").asString();
        boolean held = state.equals("picked") || state.equals("cancel");
        RunId id = RunId.of(run.get("id").asString());
        switch (world.variant()) {
            case CANCEL_IGNORED_IN_PREPARE -> {
                if (state.equals("cancel")) {
                    run.put("state", "picked");
                }
            }
            case CANCEL_UNHEARD -> {
                if (state.equals("cancel") && world.ledger().runs().get(id).launches > 0) {
                    run.put("state", "picked");
                }
            }
            case SECOND_BOOT_EXECUTES -> {
                if (state.equals("picked") && !bootId.equals(run.get("boot_id").asString())) {
                    run.put("state", "queued")
                            .put("deadline", process.now().plusSeconds(60).toString());
                }
            }
            case NEVER_ABANDONED, ABANDONED_TOO_EARLY -> {
                if (held && !box.equals(run.get("box").asString())) {
                    move(run, world.variant() == Variant.NEVER_ABANDONED ? FOR_EVER : AN_HOUR_AGO);
                }
            }
            case TAKING_UNNOTICED -> {
                if (held && attempts.containsKey(id)) {
                    run.set("attempt", attempts.get(id));
                }
            }
            case PICK_TOO_LATE -> {
                if (state.equals("queued")) {
                    move(run, PICK_LATE_BY);
                }
            }
            case PICK_PAST_DEADLINE -> {
                if (state.equals("queued") && isInExecution()) {
                    move(run, FOR_EVER);
                }
            }
            case PICK_WITHOUT_OWNING -> {
                if (state.equals("queued") && isInExecution()) {
                    record.put("box", box);
                }
            }
            default -> {
                // whatever is wrong with it does not show here
            }
        }
    }

    private static void move(ObjectNode run, Duration by) {
        run.put(
                "deadline",
                Instant.parse(run.get("deadline").asString()).plus(by).toString());
    }

    private boolean isInExecution() {
        return world.fiber().contains(": run ");
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
            case LEASE_NEVER_ENDS, TAKING_UNNOTICED, PICK_WITHOUT_OWNING ->
                key.value().startsWith(RecordRef.PREFIX)
                        ? putRecord(key, value, precondition)
                        : store.put(key, value, precondition);
            case LAST_RESULT_WINS -> store.put(key, value, result ? Precondition.NONE : precondition);
            default -> store.put(key, value, precondition);
        };
    }

    private String putRecord(ObjectKey key, byte[] value, Precondition precondition) {
        ObjectNode record = (ObjectNode) CarlosJson.mapper().readTree(value);
        ObjectNode before = world.stored()
                .get(key)
                .map(object -> (ObjectNode) CarlosJson.mapper().readTree(object.value()))
                .orElse(record);
        if (record.get("active_run") instanceof ObjectNode run && before.get("active_run") instanceof ObjectNode was) {
            if (run.get("state").asString().equals("picked")
                    && was.get("state").asString().equals("queued")) {
                attempts.put(RunId.of(run.get("id").asString()), run.get("attempt"));
            }
            if (world.variant() == Variant.LEASE_NEVER_ENDS && isFarAway(run)) {
                move(run, LEASE_TOO_LONG.negated());
            }
            if (world.variant() == Variant.PICK_WITHOUT_OWNING && isInExecution()) {
                record.set("box", before.get("box"));
            }
        }
        return store.put(key, CarlosJson.write(record), precondition);
    }

    private boolean isFarAway(ObjectNode run) {
        return Instant.parse(run.get("deadline").asString())
                .isAfter(process.now().plus(LEASE_TOO_LONG.dividedBy(2)));
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
        return world.variant() == Variant.MARKER_IGNORED
                ? new ConditionalRead.Unchanged()
                : store.getUnlessMatch(key, knownEtag);
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

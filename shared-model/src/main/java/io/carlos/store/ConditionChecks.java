package io.carlos.store;

import java.util.Arrays;
import java.util.Optional;

/** Whether the store keeps preconditions when nobody else writes. */
final class ConditionChecks {
    private final ObjectStore store;
    private final Scratch scratch;

    ConditionChecks(ObjectStore store, Scratch scratch) {
        this.store = store;
        this.scratch = scratch;
    }

    Finding createOnlyOnAnExistingKey() {
        ObjectKey key = scratch.key("create-only");
        byte[] first = Scratch.value();
        store.put(key, first, Precondition.CREATE_ONLY);
        return mustConflict(key, Precondition.CREATE_ONLY, first);
    }

    Finding staleIfMatch() {
        ObjectKey key = scratch.key("stale");
        String stale = store.put(key, Scratch.value(), Precondition.NONE);
        byte[] current = Scratch.value();
        store.put(key, current, Precondition.NONE);
        return mustConflict(key, Precondition.ifMatch(stale), current);
    }

    Finding currentIfMatch() {
        ObjectKey key = scratch.key("current");
        String etag = store.put(key, Scratch.value(), Precondition.NONE);
        byte[] next = Scratch.value();
        if (conflicts(key, next, Precondition.ifMatch(etag))) {
            return Finding.refused("the put with the etag of the put before it was answered with a conflict");
        }
        return holds(key, next) ? Finding.PASSED : Finding.refused("the put was acknowledged, the value is another");
    }

    Finding ifMatchOnAnAbsentKey() {
        ObjectKey key = scratch.key("absent");
        String elsewhere = store.put(scratch.key("present"), Scratch.value(), Precondition.NONE);
        boolean conflict = conflicts(key, Scratch.value(), Precondition.ifMatch(elsewhere));
        if (store.get(key).isPresent()) {
            return Finding.refused(answer(conflict) + ", and the key came into being");
        }
        return conflict ? Finding.PASSED : Finding.refused(answer(false) + ", though the key is still absent");
    }

    private Finding mustConflict(ObjectKey key, Precondition precondition, byte[] stored) {
        boolean conflict = conflicts(key, Scratch.value(), precondition);
        if (!holds(key, stored)) {
            return Finding.refused(answer(conflict) + ", and the stored value was replaced");
        }
        return conflict ? Finding.PASSED : Finding.refused(answer(false) + ", though the stored value is unchanged");
    }

    private static String answer(boolean conflict) {
        return conflict ? "the put was answered with a conflict" : "the put was acknowledged";
    }

    private boolean conflicts(ObjectKey key, byte[] value, Precondition precondition) {
        try {
            store.put(key, value, precondition);
            return false;
        } catch (CasConflictException e) {
            return true;
        }
    }

    private boolean holds(ObjectKey key, byte[] value) {
        Optional<StoredObject> stored = store.get(key);
        return stored.isPresent() && Arrays.equals(stored.get().value(), value);
    }
}

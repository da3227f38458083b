package io.carlos.agent.reconcile;

import io.carlos.model.records.RecordRef;
import io.carlos.store.ObjectStore;
import io.carlos.store.ReadRefusedException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The records of one pass that the store lists and does not give. One of them is that record's own problem as long as the store gives
 * another; when it gives none, nothing was learned of any.
 */
final class RefusedReads {
    /** So many in a row, with none that was given, are no problem of single records. */
    static final int MOST_IN_A_ROW = 100;

    private final Map<RecordRef, ReadRefusedException> refused = new LinkedHashMap<>();
    private boolean given;

    void given() {
        given = true;
    }

    /** @throws ReadRefusedException the store seems to give none */
    void add(RecordRef ref, ReadRefusedException refusal) {
        refused.put(ref, refusal);
        if (!given && refused.size() == MOST_IN_A_ROW) {
            throw refusal;
        }
    }

    /**
     * Those that were refused, while another was given.
     *
     * @param known records that an earlier pass was given: one of them is read if this pass was given none
     * @throws ReadRefusedException the store gives none
     */
    Map<RecordRef, ReadRefusedException> whileOthersAreGiven(ObjectStore store, Collection<RecordRef> known) {
        if (!given && !refused.isEmpty()) {
            RecordRef other = known.stream()
                    .findFirst()
                    .orElseThrow(() -> refused.values().iterator().next());
            store.get(other.key());
        }
        return refused;
    }
}

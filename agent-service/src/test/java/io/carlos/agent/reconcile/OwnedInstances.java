package io.carlos.agent.reconcile;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Keeps what it is told, one entry a pass. */
final class OwnedInstances {
    private final List<List<InstanceRecord>> owned = new ArrayList<>();
    private final List<Set<RecordRef>> undecided = new ArrayList<>();

    void add(List<InstanceRecord> records, Set<RecordRef> unread) {
        owned.add(List.copyOf(records));
        undecided.add(Set.copyOf(unread));
    }

    int passes() {
        return owned.size();
    }

    List<String> hosts() {
        return owned.getLast().stream().map(record -> record.host().value()).toList();
    }

    List<String> undecidedHosts() {
        return undecided.getLast().stream().map(ref -> ref.host().value()).toList();
    }
}

package io.carlos.agent.local;

import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.runs.Transition;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records of a local store: made when first asked for, and handed from box to box as agents come and go. */
public final class LocalRecords {
    private static final long MEMORY_MAX = 536_870_912;

    private final ObjectStore store;
    private final RecordStore records;

    public LocalRecords(ObjectStore store, RecordStore records) {
        this.store = store;
        this.records = records;
    }

    /**
     * Makes the record when there is none.
     *
     * @param box the owner of a new record; null leaves it to the first agent that sees it
     * @return the record, new or found
     */
    public InstanceRecord ensure(RecordRef ref, @Nullable String box, Instant now) {
        Optional<StoredRecord> found = records.read(ref);
        if (found.isPresent()) {
            return found.get().record();
        }
        InstanceRecord fresh = InstanceRecord.created(
                        ref,
                        "local",
                        LocalBoxes.REGION,
                        "local",
                        List.of(),
                        now,
                        Isolation.PROCESS,
                        MEMORY_MAX,
                        Map.of())
                .withBox(box);
        // Another process may have been first; then its record is as good.
        return records.create(fresh)
                .or(() -> records.read(ref))
                .orElseThrow(() -> new IllegalStateException("record " + ref + " vanished while it was being made"))
                .record();
    }

    /** Makes {@code to} the owner of a record that {@code from} owned; changes nothing when another owns it by now. */
    public ChangeOutcome hand(RecordRef ref, @Nullable String from, @Nullable String to) throws InterruptedException {
        return records.change(ref, record -> {
            if (Objects.equals(record.box(), to)) {
                return new Transition.Already();
            }
            if (!Objects.equals(record.box(), from)) {
                return new Transition.Refused(Transition.Refusal.OTHER_BOX, ref + " belongs to " + record.box());
            }
            return new Transition.Changed(record.withBox(to));
        });
    }

    /** Leaves every record of a box to whichever agent sees it next. */
    public void release(String box) throws InterruptedException {
        String after = "";
        List<ListedObject> page;
        do {
            page = store.list(RecordRef.PREFIX, after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject listed : page) {
                after = listed.key().value();
                Optional<RecordRef> ref = RecordRef.parse(listed.key());
                if (ref.isPresent() && isOwnedBy(ref.get(), box)) {
                    hand(ref.get(), box, null);
                }
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
    }

    private boolean isOwnedBy(RecordRef ref, String box) {
        return records.read(ref)
                .map(stored -> box.equals(stored.record().box()))
                .orElse(false);
    }
}

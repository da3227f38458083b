package io.carlos.agent.reconcile;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.fleet.TakeOver;
import io.carlos.model.names.Host;
import io.carlos.model.records.ChangeOutcome;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.StoredRecord;
import io.carlos.model.records.UnreadableRecordException;
import io.carlos.model.runs.Transition;
import io.carlos.model.time.Scheduler;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectStore;
import io.carlos.store.StoredObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes over the records: claims those without a box, or whose box is lost, hands every record in scope that carries a run to the worker,
 * and tells after a complete pass which records are this box's. One listing and a read for each record that changed; what did not change is remembered by its etag.
 *
 * <p>One pass at a time; the caller sees to it.
 */
public final class Reconciler {
    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

    private final BoxIdentity box;
    private final ClaimPolicy claims;
    private final Fleet fleet;
    private final ObjectStore store;
    private final RecordStore records;
    private final RecordSink worker;
    private final InstanceSink instances;
    private final Scheduler scheduler;
    private Map<RecordRef, StoredRecord> known = new HashMap<>();

    /** Of a box that has runs only, and no instances of its own to keep. */
    public Reconciler(
            BoxIdentity box,
            ClaimPolicy claims,
            Fleet fleet,
            ObjectStore store,
            RecordStore records,
            RecordSink worker,
            Scheduler scheduler) {
        this(box, claims, fleet, store, records, worker, (owned, undecided) -> {}, scheduler);
    }

    public Reconciler(
            BoxIdentity box,
            ClaimPolicy claims,
            Fleet fleet,
            ObjectStore store,
            RecordStore records,
            RecordSink worker,
            InstanceSink instances,
            Scheduler scheduler) {
        this.box = box;
        this.claims = claims;
        this.fleet = fleet;
        this.store = store;
        this.records = records;
        this.worker = worker;
        this.instances = instances;
        this.scheduler = scheduler;
    }

    /**
     * Does one pass. A record that cannot be read is left out, logged and counted.
     *
     * @throws io.carlos.store.StoreException the store failed; what was seen until then was handed on
     */
    public PassReport pass() throws InterruptedException {
        long start = scheduler.nanoTime();
        Pass pass = new Pass();
        String after = "";
        List<ListedObject> page;
        do {
            page = store.list(RecordRef.PREFIX, after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject listed : page) {
                pass.see(listed);
                after = listed.key().value();
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
        // Only now: records later in the listing may be this box's, and count, and have their hosts here already.
        pass.claimFree();
        known = pass.seen;
        instances.owned(pass.ours, pass.undecided);
        Duration took = Duration.ofNanos(scheduler.nanoTime() - start);
        return new PassReport(pass.listed, pass.read, pass.unreadable, pass.claimed, took);
    }

    private final class Pass {
        private final Map<RecordRef, StoredRecord> seen = new HashMap<>();
        private final Set<Host> hosts = new HashSet<>();
        private final List<InstanceRecord> free = new ArrayList<>();
        private final List<InstanceRecord> ours = new ArrayList<>();
        private final Set<RecordRef> undecided = new HashSet<>();
        private int listed;
        private int read;
        private int unreadable;
        private int claimed;

        void see(ListedObject object) throws InterruptedException {
            listed++;
            RecordRef ref = RecordRef.parse(object.key()).orElse(null);
            if (ref == null) {
                unreadable++;
                log.warn("pass: not a record's key: key={}", object.key());
                return;
            }
            try {
                Optional<StoredRecord> record = current(ref, object);
                if (record.isPresent()) {
                    take(ref, record.get());
                }
            } catch (UnreadableRecordException e) {
                unreadable++;
                undecided.add(ref);
                log.warn("pass: record left out: {}", e.getMessage());
            } catch (RecordContendedException e) {
                undecided.add(ref);
                log.info("pass: record left to the next pass: {}", e.getMessage());
            }
        }

        private Optional<StoredRecord> current(RecordRef ref, ListedObject object) {
            StoredRecord before = known.get(ref);
            if (before != null && before.etag().equals(object.etag())) {
                return Optional.of(before);
            }
            read++;
            Optional<StoredObject> now = store.get(object.key());
            return now.map(o -> records.decode(ref, o));
        }

        private void take(RecordRef ref, StoredRecord stored) throws InterruptedException {
            seen.put(ref, stored);
            InstanceRecord record = stored.record();
            if (!record.region().equals(box.region())) {
                return;
            }
            if (box.name().equals(record.box())) {
                if (own(record)) {
                    handOn(record);
                }
            } else if (isInPool(record)) {
                if (isFree(record)) {
                    free.add(record);
                } else {
                    handOn(record);
                }
            }
        }

        /** The records without a living box, in the order of their keys, as far as there is room. */
        void claimFree() throws InterruptedException {
            for (InstanceRecord record : free) {
                try {
                    handOn(mayClaim(record) ? claim(record.ref()).orElse(record) : record);
                } catch (UnreadableRecordException | RecordContendedException e) {
                    undecided.add(record.ref());
                    log.info("pass: record left to the next pass: {}", e.getMessage());
                }
            }
        }

        private void handOn(InstanceRecord record) {
            if (record.activeRun() != null && record.activeRun().isOpen()) {
                worker.runSeen(record);
            }
        }

        /** @return false when another record of that host came first: an instance's directory belongs to one app of one account */
        private boolean own(InstanceRecord record) {
            if (!hosts.add(record.host())) {
                log.error(
                        "pass: second record of a host left out: record={} box={}: give it another box, or trash it",
                        record.ref(),
                        box.name());
                return false;
            }
            if (!record.isTrashed()) {
                ours.add(record);
            }
            return true;
        }

        private boolean mayClaim(InstanceRecord record) {
            return ours.size() < claims.capacity()
                    && !record.isTrashed()
                    && !hosts.contains(record.host())
                    && fleet.mayWrite()
                    && claims.eligible().test(record);
        }

        private Optional<InstanceRecord> claim(RecordRef ref) throws InterruptedException {
            ChangeOutcome outcome = records.change(ref, newest -> {
                if (box.name().equals(newest.box())) {
                    return new Transition.Already();
                }
                if (!isFree(newest) || newest.box() != null && !fleet.isStillLost(newest.box())) {
                    return new Transition.Refused(Transition.Refusal.OTHER_BOX, "claimed by " + newest.box());
                }
                return newest.isTrashed()
                        ? new Transition.Refused(Transition.Refusal.TRASHED, newest.host() + " is in the trash")
                        : new Transition.Changed(newest.withBox(box.name(), box.claimEpoch()));
            });
            if (outcome instanceof ChangeOutcome.Applied(StoredRecord stored)) {
                claimed++;
                seen.put(ref, stored);
                hosts.add(stored.record().host());
                ours.add(stored.record());
                log.info("pass: claimed: record={} box={}", ref, box.name());
                return Optional.of(stored.record());
            }
            return Optional.empty();
        }
    }

    /** Whether no living box owns it, as far as this one is to judge. */
    private boolean isFree(InstanceRecord record) {
        return record.box() == null || claims.takeOver() == TakeOver.AUTOMATIC && fleet.isLost(record.box());
    }

    /** Pools say who may claim a record; what a box owns stays its own. */
    private boolean isInPool(InstanceRecord record) {
        return record.pools().isEmpty() || !Collections.disjoint(new HashSet<>(record.pools()), box.pools());
    }
}

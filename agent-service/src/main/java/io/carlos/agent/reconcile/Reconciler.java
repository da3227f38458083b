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
import io.carlos.store.ReadRefusedException;
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
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
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
    /** Which record had each of the box's hosts in the last complete pass. */
    private Map<Host, RecordRef> owners = Map.of();

    private volatile boolean stopped;

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
     * Does one pass. A record that cannot be read, or that the store does not give while it gives others, is left out, logged and counted. Of two records of this box with one
     * host the one that had it in the last pass keeps it.
     *
     * @throws io.carlos.store.StoreException the store failed; what was seen until then was handed on
     * @throws CancellationException {@link #stop} was called; likewise
     */
    public PassReport pass() throws InterruptedException {
        long start = scheduler.nanoTime();
        Pass pass = new Pass();
        String after = "";
        List<ListedObject> page;
        do {
            page = store.list(RecordRef.PREFIX, after, ObjectStore.MAX_LIST_LIMIT);
            for (ListedObject listed : page) {
                requireNotStopped();
                pass.see(listed);
                after = listed.key().value();
            }
        } while (page.size() == ObjectStore.MAX_LIST_LIMIT);
        pass.leaveOutRefused();
        pass.takeHostsThatAreLeft();
        // Only now: records later in the listing may be this box's, and count, and have their hosts here already.
        pass.claimFree();
        known = pass.seen;
        owners = pass.hosts;
        instances.owned(pass.ours, pass.undecided);
        Duration took = Duration.ofNanos(scheduler.nanoTime() - start);
        return new PassReport(pass.listed, pass.read, pass.unreadable, pass.claimed, took);
    }

    /** Ends the pass under way at its next record, and every later one at its first. */
    public void stop() {
        stopped = true;
    }

    private void requireNotStopped() {
        if (stopped) {
            throw new CancellationException("the agent stops");
        }
    }

    private final class Pass {
        private final Map<RecordRef, StoredRecord> seen = new HashMap<>();
        private final Map<Host, RecordRef> hosts = new HashMap<>();
        /** Of records that cannot be read: perhaps the box's own. */
        private final Set<Host> unreadableHosts = new HashSet<>();
        /** Records of the box that have their hosts only if no other has. */
        private final List<InstanceRecord> rivals = new ArrayList<>();

        private final List<InstanceRecord> free = new ArrayList<>();
        private final List<InstanceRecord> ours = new ArrayList<>();
        private final Set<RecordRef> undecided = new HashSet<>();
        private final RefusedReads refused = new RefusedReads(store, known.keySet());
        private int listed;
        private int read;
        private int unreadable;
        private int claimed;

        void see(ListedObject object) {
            listed++;
            RecordRef ref = RecordRef.parse(object.key()).orElse(null);
            if (ref == null) {
                unreadable++;
                log.warn("pass: not a record's key: key={}", object.key());
                return;
            }
            if (object.size() > ObjectStore.MAX_VALUE_BYTES) {
                leaveOut(
                        ref,
                        "it has " + object.size() + " bytes, and no store gives more than "
                                + ObjectStore.MAX_VALUE_BYTES);
                return;
            }
            if (!isKnown(ref, object) && !refused.isWorthReading(ref)) {
                refused.leaveUnread(ref);
                return;
            }
            try {
                current(ref, object).ifPresent(record -> take(ref, record));
            } catch (UnreadableRecordException e) {
                leaveOut(ref, e.getMessage());
            } catch (ReadRefusedException e) {
                refused.add(ref, e);
            }
        }

        void leaveOutRefused() {
            refused.whileOthersAreGiven(seen.keySet()).forEach((ref, e) -> leaveOut(ref, e.getMessage()));
            refused.unread().forEach(this::leaveOut);
            if (!refused.unread().isEmpty()) {
                log.warn(
                        "pass: records left out unread: count={} cause=so many others of their accounts were refused",
                        refused.unread().size());
            }
        }

        private void leaveOut(RecordRef ref, @Nullable String why) {
            leaveOut(ref);
            log.warn("pass: record left out: record={} cause={}", ref, why);
        }

        private void leaveOut(RecordRef ref) {
            unreadable++;
            undecided.add(ref);
            unreadableHosts.add(ref.host());
            if (ref.equals(owners.get(ref.host()))) {
                hosts.put(ref.host(), ref); // it is still its own, as far as anybody knows
            }
        }

        private boolean isKnown(RecordRef ref, ListedObject object) {
            StoredRecord before = known.get(ref);
            return before != null && before.etag().equals(object.etag());
        }

        private Optional<StoredRecord> current(RecordRef ref, ListedObject object) {
            if (isKnown(ref, object)) {
                return Optional.ofNullable(known.get(ref));
            }
            read++;
            Optional<StoredObject> now = store.get(object.key());
            refused.given();
            return now.map(o -> records.decode(ref, o));
        }

        private void take(RecordRef ref, StoredRecord stored) {
            seen.put(ref, stored);
            InstanceRecord record = stored.record();
            if (!record.region().equals(box.region())) {
                return;
            }
            if (box.name().equals(record.box())) {
                if (comesFirst(record)) {
                    own(record);
                } else {
                    rivals.add(record);
                }
            } else if (isInPool(record)) {
                if (isFree(record)) {
                    free.add(record);
                } else {
                    handOn(record);
                }
            }
        }

        /** Whether a record has its host unless one before it in the listing does; others have what is left after all of them. */
        private boolean comesFirst(InstanceRecord record) {
            RecordRef owner = owners.get(record.host());
            return owner == null ? !record.isTrashed() : owner.equals(record.ref());
        }

        /** Only now: whoever had the host before may come later in the listing. */
        void takeHostsThatAreLeft() {
            rivals.forEach(this::own);
        }

        /** The records without a living box, in the order of their keys, as far as there is room. */
        void claimFree() throws InterruptedException {
            for (InstanceRecord record : free) {
                requireNotStopped();
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

        /** Unless another record has the host: an instance's directory belongs to one app of one account. */
        private void own(InstanceRecord record) {
            RecordRef owner = hosts.putIfAbsent(record.host(), record.ref());
            if (owner == null) {
                if (!record.isTrashed()) {
                    ours.add(record);
                }
                handOn(record);
            } else if (!record.isTrashed()) {
                log.error(
                        "pass: second record of a host left out: record={} box={} host_is_of={}: give it another box, or trash it",
                        record.ref(),
                        box.name(),
                        owner);
            }
        }

        /** What cannot be read counts as the box's own. */
        private boolean mayClaim(InstanceRecord record) {
            return ours.size() + unreadableHosts.size() < claims.capacity()
                    && !record.isTrashed()
                    && !hosts.containsKey(record.host())
                    && !unreadableHosts.contains(record.host())
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
                hosts.put(stored.record().host(), ref);
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

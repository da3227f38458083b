package io.carlos.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.fleet.TakeOver;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordChange;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.time.OneProcess;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A reconciler of the box {@code me} in region {@code r1}, pools {@code p1} and {@code p2}, over a store of records. */
final class PassWorld {
    static final RunId ID = RunId.of("run_" + "a".repeat(26));
    static final Instant DEADLINE = Instant.parse("2026-01-01T01:00:00Z");

    private final OneProcess process = new OneProcess();
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(objects);
    private final RecordStore others = new RecordStore(objects, process.scheduler(), new Random(2));
    private final List<InstanceRecord> seen = new ArrayList<>();
    private final OwnedInstances instances = new OwnedInstances();
    private final SettableFleet fleet = new SettableFleet();
    private final Reconciler reconciler;

    PassWorld() {
        this(100, TakeOver.OPERATOR);
    }

    PassWorld(int capacity, TakeOver takeOver) {
        reconciler = new Reconciler(
                new BoxIdentity("me", "boot-1", 7, "r1", List.of("p1", "p2")),
                new ClaimPolicy(record -> record.isolation() == Isolation.PROCESS, capacity, takeOver),
                fleet,
                store,
                new RecordStore(store, process.scheduler(), new Random(1)),
                seen::add,
                instances::add,
                process.scheduler());
    }

    SettableFleet fleet() {
        return fleet;
    }

    PassReport pass() throws Exception {
        return process.call(reconciler::pass);
    }

    /** What the passes handed on. */
    List<InstanceRecord> seen() {
        return seen;
    }

    /** The hosts of {@link #seen}. */
    List<String> hosts() {
        return seen.stream().map(record -> record.host().value()).toList();
    }

    /** What the complete passes told the box's instances. */
    OwnedInstances instances() {
        return instances;
    }

    /** The store as the reconciler sees it. */
    FaultyObjectStore store() {
        return store;
    }

    InMemoryObjectStore objects() {
        return objects;
    }

    void create(InstanceRecord record) {
        assertThat(others.create(record)).isPresent();
    }

    InstanceRecord read(String host) {
        return others.read(Records.of(host).ref()).orElseThrow().record();
    }

    void queue(RecordRef ref) {
        change(ref, record -> RunTransitions.admit(record, ID, "ann", DEADLINE));
    }

    /** Changes a record as another writer. */
    void change(RecordRef ref, RecordChange change) {
        try {
            others.change(ref, change);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    void put(ObjectKey key, String value) {
        objects.put(key, value.getBytes(StandardCharsets.UTF_8), Precondition.NONE);
    }
}

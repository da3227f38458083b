package io.carlos.agent.instance;

import io.carlos.model.names.Incarnation;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Seed;
import io.carlos.model.runs.Transition;

/** Swaps a record's fresh seed from placed to committed, and leaves every other seed alone. */
public final class RecordSeedCommit implements SeedCommit {
    private final RecordStore records;

    public RecordSeedCommit(RecordStore records) {
        this.records = records;
    }

    @Override
    public void committed(RecordRef ref, Incarnation incarnation) throws InterruptedException {
        records.change(ref, newest -> commit(newest, incarnation));
    }

    private static Transition commit(InstanceRecord record, Incarnation incarnation) {
        Seed seed = record.seed();
        if (seed == null
                || seed.kind() != Seed.Kind.FRESH
                || seed.state() != Seed.State.PLACED
                || !record.incarnation().equals(incarnation)) {
            return new Transition.Already();
        }
        return new Transition.Changed(record.withSeed(new Seed(seed.kind(), Seed.State.COMMITTED, seed.others())));
    }
}

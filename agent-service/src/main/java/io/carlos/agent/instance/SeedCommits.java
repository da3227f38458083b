package io.carlos.agent.instance;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordContendedException;
import io.carlos.model.records.Seed;
import io.carlos.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells records that the seeds of their instances have succeeded, each on a task of its own. An import's is committed by whoever imports. */
final class SeedCommits {
    private static final Logger log = LoggerFactory.getLogger(SeedCommits.class);

    private final SeedCommit commit;
    private final Tasks tasks;

    SeedCommits(SeedCommit commit, Tasks tasks) {
        this.commit = commit;
        this.tasks = tasks;
    }

    /** Again, if the record does not say so though the row does. */
    void commitIfDue(InstanceRow row, InstanceRecord record) {
        Seed seed = record.seed();
        if (row.seedCommitted()
                && row.incarnation().equals(record.incarnation())
                && seed != null
                && seed.kind() == Seed.Kind.FRESH
                && seed.state() == Seed.State.PLACED) {
            commit(row);
        }
    }

    void commit(InstanceRow row) {
        if (row.seed() == null || row.seed().kind() != Seed.Kind.FRESH) {
            return;
        }
        tasks.fork("commit " + row.host(), () -> {
            try {
                commit.committed(row.record(), row.incarnation());
            } catch (StoreException | RecordContendedException e) {
                log.warn("instances: seed not committed in its record: host={} cause={}", row.host(), e.getMessage());
            }
        });
    }
}

package io.carlos.agent.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Records;
import io.carlos.model.records.Seed;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.InMemoryObjectStore;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordSeedCommitTest {
    private final RecordStore records =
            new RecordStore(new InMemoryObjectStore(), new SystemScheduler(), new Random(1));
    private final SeedCommit commit = new RecordSeedCommit(records);

    private InstanceRecord created(InstanceRecord record) {
        return records.create(record).orElseThrow().record();
    }

    private InstanceRecord stored(InstanceRecord record) {
        return records.read(record.ref()).orElseThrow().record();
    }

    @ParameterizedTest
    @CsvSource({"FRESH, PLACED, COMMITTED, 1", "FRESH, COMMITTED, COMMITTED, 0", "IMPORT, PLACED, PLACED, 0"})
    void only_a_fresh_seed_that_is_placed_becomes_committed(
            Seed.Kind kind, Seed.State before, Seed.State after, int writes) throws Exception {
        InstanceRecord record = created(Records.withSeed(Records.of("a.example.com"), new Seed(kind, before)));

        commit.committed(record.ref(), record.incarnation());

        assertThat(stored(record).seed()).isEqualTo(new Seed(kind, after));
        assertThat(stored(record).version()).isEqualTo(record.version() + writes);
    }

    @Test
    void another_incarnations_seed_is_left_alone() throws Exception {
        InstanceRecord first = Records.of("a.example.com");
        InstanceRecord second = created(Records.withSeed(
                Records.createdAt(first, Records.CREATED.plusSeconds(1)),
                new Seed(Seed.Kind.FRESH, Seed.State.PLACED)));

        commit.committed(second.ref(), first.incarnation());

        assertThat(stored(second).seed()).isEqualTo(second.seed());
    }

    @Test
    void a_record_without_a_seed_or_that_is_gone_is_left_alone() throws Exception {
        InstanceRecord record = Records.of("a.example.com");
        commit.committed(record.ref(), record.incarnation());
        InstanceRecord stored = created(record);

        commit.committed(record.ref(), record.incarnation());

        assertThat(stored(record)).isEqualTo(stored);
    }
}

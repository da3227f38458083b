package io.carlos.model.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.time.OneProcess;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.StoreUnavailableException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordStoreCreateTest {
    private static final InstanceRecord RECORD = Records.of("a.example.com");

    private final OneProcess process = new OneProcess();
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(objects);
    private final RecordStore records = new RecordStore(store, process.scheduler(), new Random(1));
    private final RecordStore others = new RecordStore(objects, process.scheduler(), new Random(2));

    @Test
    void a_new_record_is_stored_as_version_1_of_its_writer() {
        StoredRecord created = records.create(RECORD.withBox("mine")).orElseThrow();

        assertThat(created.record().version()).isEqualTo(1);
        assertThat(created.record().writer()).matches("[0-9a-f]{32}");
        assertThat(records.read(RECORD.ref())).contains(created);
    }

    @Test
    void a_record_that_is_there_stays_and_nothing_is_returned() {
        StoredRecord there = others.create(RECORD.withBox("theirs")).orElseThrow();

        assertThat(records.create(RECORD.withBox("mine"))).isEmpty();

        assertThat(records.read(RECORD.ref())).contains(there);
    }

    @Test
    void of_two_creators_at_once_one_has_made_it() {
        store.beforeNext(Call.PUT, key -> true, () -> others.create(RECORD.withBox("theirs")));

        assertThat(records.create(RECORD.withBox("mine"))).isEmpty();

        assertThat(records.read(RECORD.ref()).orElseThrow().record().box()).isEqualTo("theirs");
    }

    @Test
    void a_lost_answer_whose_write_took_effect_is_a_success() {
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);

        StoredRecord created = records.create(RECORD.withBox("mine")).orElseThrow();

        assertThat(others.read(RECORD.ref())).contains(created);
    }

    @Test
    void a_lost_answer_over_anothers_record_returns_nothing() {
        others.create(RECORD.withBox("theirs"));
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);

        assertThat(records.create(RECORD.withBox("mine"))).isEmpty();
    }

    @Test
    void a_lost_answer_without_a_record_stays_unknown() {
        store.failNext(Call.PUT, Fault.AMBIGUOUS_NOT_DONE);

        assertThatThrownBy(() -> records.create(RECORD)).isInstanceOf(AmbiguousWriteException.class);
    }

    @Test
    void a_lost_answer_that_cannot_be_looked_up_stays_unknown() {
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        store.failNext(Call.GET, Fault.UNAVAILABLE);

        assertThatThrownBy(() -> records.create(RECORD)).isInstanceOf(AmbiguousWriteException.class);
    }

    @Test
    void a_store_that_is_away_passes_through_and_nothing_is_written() {
        store.failNext(Call.PUT, Fault.UNAVAILABLE);

        assertThatThrownBy(() -> records.create(RECORD)).isInstanceOf(StoreUnavailableException.class);

        assertThat(records.read(RECORD.ref())).isEmpty();
    }
}

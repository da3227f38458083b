package io.carlos.model.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.runs.Transition;
import io.carlos.model.time.SystemScheduler;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.Precondition;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordStoreTest {
    private static final InstanceRecord RECORD = Records.of("bill.example.com");
    private static final RecordRef REF = RECORD.ref();

    private final InMemoryObjectStore stored = new InMemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(stored);
    private final RecordStore records = new RecordStore(store, new SystemScheduler(), new Random(1));

    @Test
    void storeThatGoesAwayAfterALostAnswerDoesNotDenyTheSwapThatHeld() {
        records.create(RECORD);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        store.beforeNext(Call.GET, key -> true, () -> {});
        store.failNext(Call.GET, Fault.UNAVAILABLE);

        assertThatExceptionOfType(AmbiguousWriteException.class)
                .isThrownBy(() -> records.change(REF, record -> new Transition.Changed(record.withBox("box"))));
        assertThat(records.read(REF).orElseThrow().record().box()).isEqualTo("box");
    }

    @Test
    void storeThatGoesAwayBeforeTheNextAttemptDoesNotDenyTheSwapThatMayYetLand() {
        records.create(RECORD);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_NOT_DONE);
        store.failNext(Call.PUT, Fault.UNAVAILABLE);

        assertThatExceptionOfType(AmbiguousWriteException.class)
                .isThrownBy(() -> records.change(REF, record -> new Transition.Changed(record.withBox("box"))));
    }

    @Test
    void storeThatGoesAwayAfterALostAnswerDoesNotDenyTheRecordThatWasMade() {
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        store.failNext(Call.GET, Fault.UNAVAILABLE);

        assertThatExceptionOfType(AmbiguousWriteException.class).isThrownBy(() -> records.create(RECORD));
    }

    @Test
    void recordThatNamesAHostTooLongForAKeyIsUnreadable() {
        String label = "a".repeat(62) + ".";
        String host = label.repeat(4) + "a";
        String json = new String(CarlosJson.write(RECORD), StandardCharsets.UTF_8).replace("bill.example.com", host);
        stored.put(REF.key(), json.getBytes(StandardCharsets.UTF_8), Precondition.NONE);

        assertThatExceptionOfType(UnreadableRecordException.class)
                .isThrownBy(() -> records.read(REF))
                .withMessageContaining("it says that it is the record of acme/web/" + host);
    }
}

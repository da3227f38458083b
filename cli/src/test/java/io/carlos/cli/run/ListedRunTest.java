package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.store.OpenStore;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunKeys;
import io.carlos.model.runs.RunRequest;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.location.StoreLocation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListedRunTest {
    private static final Instant AT = Instant.parse("2026-01-02T04:00:00Z");
    private static final InstanceRecord RECORD = Records.of("bill.example.com");
    private static final RunKeys KEYS = new RunKeys(RECORD.account(), RECORD.app(), RunId.of("run_" + "a".repeat(26)));

    @TempDir
    Path directory;

    private OpenStore store;

    @BeforeEach
    void openStore() {
        store = OpenStore.at(new StoreLocation.InDirectory(directory));
        store.records().create(RECORD);
    }

    @AfterEach
    void closeStore() throws Exception {
        store.close();
    }

    @Test
    void a_run_without_a_request_is_no_row() {
        assertThat(ListedRun.read(store, KEYS)).isEmpty();
    }

    @Test
    void a_request_that_is_no_json_is_an_unreadable_row() {
        put(KEYS.request(), "{".getBytes(StandardCharsets.UTF_8));

        assertUnreadable();
    }

    @Test
    void a_result_of_another_schema_is_an_unreadable_row() {
        put(KEYS.request(), CarlosJson.write(request(KEYS.id(), AT)));
        put(KEYS.result(), "{\"schema\":99}".getBytes(StandardCharsets.UTF_8));

        assertUnreadable();
    }

    @Test
    void a_record_that_is_no_json_is_an_unreadable_row() {
        put(KEYS.request(), CarlosJson.write(request(KEYS.id(), AT)));
        store.objects().put(RECORD.ref().key(), new byte[] {'{'}, Precondition.NONE);

        assertUnreadable();
    }

    @Test
    void the_newest_comes_first_and_what_is_unreadable_last() {
        RunId newer = RunId.of("run_" + "b".repeat(26));
        put(KEYS.request(), CarlosJson.write(request(KEYS.id(), AT)));
        RunKeys newerKeys = new RunKeys(RECORD.account(), RECORD.app(), newer);
        put(newerKeys.request(), CarlosJson.write(request(newer, AT.plusSeconds(9))));
        ListedRun unreadable = new ListedRun.Unreadable(RunId.of("run_" + "c".repeat(26)), "no JSON");

        List<Object> ids = Stream.of(
                        unreadable,
                        ListedRun.read(store, KEYS).orElseThrow(),
                        ListedRun.read(store, newerKeys).orElseThrow())
                .sorted(ListedRun.ORDER)
                .map(run -> run.row()[0])
                .toList();

        assertThat(ids).containsExactly(newer, KEYS.id(), unreadable.row()[0]);
    }

    private void assertUnreadable() {
        ListedRun run = ListedRun.read(store, KEYS).orElseThrow();
        assertThat(run.row()).startsWith(KEYS.id(), "", "unreadable");
        assertThat(run.json().toString()).contains(KEYS.id().value());
    }

    private static RunRequest request(RunId id, Instant at) {
        return new RunRequest(
                RunRequest.SCHEMA,
                id,
                RECORD.account(),
                RECORD.app(),
                RECORD.host(),
                RECORD.incarnation(),
                List.of("true"),
                60,
                at,
                "ann",
                List.of());
    }

    private void put(ObjectKey key, byte[] value) {
        store.objects().put(key, value, Precondition.CREATE_ONLY);
    }
}

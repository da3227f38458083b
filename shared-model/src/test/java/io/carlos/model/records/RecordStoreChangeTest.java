package io.carlos.model.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.runs.Transition;
import io.carlos.model.runs.Transition.Refusal;
import io.carlos.model.testing.Seeded;
import io.carlos.model.time.OneProcess;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.RecordingObjectStore;
import io.carlos.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class RecordStoreChangeTest {
    private static final InstanceRecord RECORD = Records.of("a.example.com");
    private static final RecordRef REF = RECORD.ref();
    private static final Instant TRASHED = Instant.parse("2026-02-03T04:05:06Z");
    private static final RecordChange CLAIM = record -> new Transition.Changed(record.withBox("mine"));
    private static final RecordChange TRASH = record -> new Transition.Changed(record.withTrashedAt(TRASHED));

    private final OneProcess process = new OneProcess();
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final RecordingObjectStore written = new RecordingObjectStore(objects);
    private final FaultyObjectStore store = new FaultyObjectStore(written);
    private final RecordStore records = new RecordStore(store, process.scheduler(), new Random(1));
    private final RecordStore others = new RecordStore(objects, process.scheduler(), new Random(2));

    @Test
    void a_change_is_stored_as_the_next_version_of_its_own_writer() throws Exception {
        StoredRecord before = others.create(RECORD).orElseThrow();

        StoredRecord after = applied(change(CLAIM));

        assertThat(after.record().version()).isEqualTo(2);
        assertThat(after.record().writer())
                .matches("[0-9a-f]{32}")
                .isNotEqualTo(before.record().writer());
        assertThat(after.record().box()).isEqualTo("mine");
        assertThat(records.read(REF)).contains(after);
    }

    @Test
    void a_change_that_somebody_else_was_before_is_applied_to_what_they_wrote() throws Exception {
        others.create(RECORD);
        store.beforeNext(Call.PUT, key -> true, () -> changeByOthers(TRASH));

        InstanceRecord after = applied(change(CLAIM)).record();

        assertThat(after.trashedAt()).isEqualTo(TRASHED);
        assertThat(after.box()).isEqualTo("mine");
        assertThat(after.version()).isEqualTo(3);
    }

    @Test
    void a_change_that_what_they_wrote_forbids_is_refused_and_not_written() throws Exception {
        others.create(RECORD);
        store.beforeNext(Call.PUT, key -> true, () -> changeByOthers(TRASH));

        ChangeOutcome outcome = change(record -> record.isTrashed()
                ? new Transition.Refused(Refusal.TRASHED, "in the trash")
                : new Transition.Changed(record.withBox("mine")));

        assertThat(outcome).isEqualTo(new ChangeOutcome.Refused(Refusal.TRASHED, "in the trash"));
        assertThat(written.writes()).isEmpty();
    }

    @Test
    void a_lost_answer_whose_write_took_effect_is_known_by_its_token_and_not_written_again() throws Exception {
        others.create(RECORD);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);

        StoredRecord after = applied(change(CLAIM));

        assertThat(written.writes()).hasSize(1);
        assertThat(after.record().version()).isEqualTo(2);
        assertThat(others.read(REF)).contains(after);
    }

    @Test
    void a_lost_answer_whose_write_did_not_happen_is_written_again() throws Exception {
        others.create(RECORD);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_NOT_DONE);

        StoredRecord after = applied(change(CLAIM));

        assertThat(written.writes()).hasSize(1);
        assertThat(after.record().box()).isEqualTo("mine");
    }

    @Test
    void a_lost_answer_under_somebody_elses_version_is_for_the_change_to_recognise() throws Exception {
        others.create(RECORD);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        store.beforeNext(Call.GET, key -> true, () -> {});
        store.beforeNext(Call.GET, key -> true, () -> changeByOthers(TRASH));

        InstanceRecord after = applied(
                        change(record -> "mine".equals(record.box()) ? new Transition.Already() : CLAIM.apply(record)))
                .record();

        assertThat(after.trashedAt()).isEqualTo(TRASHED);
        assertThat(written.writes()).hasSize(1);
        assertThat(store.outstanding()).isZero();
    }

    @Test
    void a_lost_answer_that_cannot_be_looked_up_stays_unknown() throws Exception {
        others.create(RECORD);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        store.beforeNext(Call.GET, key -> true, () -> {});
        store.failNext(Call.GET, Fault.UNAVAILABLE);

        assertThatThrownBy(() -> change(CLAIM)).isInstanceOf(AmbiguousWriteException.class);
    }

    @Test
    void after_a_lost_answer_a_store_that_is_away_leaves_it_unknown() throws Exception {
        others.create(RECORD);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_NOT_DONE);
        store.failNext(Call.PUT, Fault.UNAVAILABLE);

        // The first write may be under way still, so nobody can say that nothing was written.
        assertThatThrownBy(() -> change(CLAIM)).isInstanceOf(AmbiguousWriteException.class);
    }

    @Test
    void a_record_that_is_already_as_asked_is_a_success_without_a_write() throws Exception {
        StoredRecord there = others.create(RECORD).orElseThrow();

        assertThat(applied(change(record -> new Transition.Already()))).isEqualTo(there);

        assertThat(store.count(Call.PUT)).isZero();
    }

    @Test
    void no_record_is_said_so_and_the_change_is_not_asked() throws Exception {
        ChangeOutcome outcome = change(record -> {
            throw new AssertionError("asked about " + record);
        });

        assertThat(outcome).isEqualTo(new ChangeOutcome.NoRecord());
    }

    @Test
    void a_record_that_is_deleted_in_between_is_not_made_again() throws Exception {
        others.create(RECORD);
        store.beforeNext(Call.PUT, key -> true, () -> objects.delete(REF.key()));

        assertThat(change(CLAIM)).isEqualTo(new ChangeOutcome.NoRecord());

        assertThat(objects.get(REF.key())).isEmpty();
    }

    @Test
    void a_record_that_others_always_change_first_is_given_up_after_20_attempts() {
        others.create(RECORD);
        store.failAtRandom(1, 1.0, Fault.CONFLICT);

        assertThatThrownBy(() -> change(CLAIM))
                .isInstanceOf(RecordContendedException.class)
                .hasMessageContaining("acme/web/a.example.com");

        assertThat(store.count(Call.PUT)).isEqualTo(20);
        assertThat(written.writes()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Call.class,
            names = {"GET", "PUT"})
    void a_store_that_is_away_passes_through_and_nothing_is_written(Call call) {
        others.create(RECORD);
        store.failNext(call, Fault.UNAVAILABLE);

        assertThatThrownBy(() -> change(CLAIM)).isInstanceOf(StoreUnavailableException.class);

        assertThat(written.writes()).isEmpty();
    }

    @Test
    void a_value_that_is_no_record_is_refused_and_left_as_it_is() {
        objects.put(REF.key(), "{}".getBytes(StandardCharsets.UTF_8), Precondition.NONE);

        assertThatThrownBy(() -> change(CLAIM)).isInstanceOf(UnreadableRecordException.class);

        assertThat(written.writes()).isEmpty();
    }

    @Test
    void whatever_fails_versions_grow_by_one_and_no_value_comes_twice() {
        Seeded.check(50, random -> {
            objects.delete(REF.key());
            others.create(RECORD);
            written.forget();
            store.failAtRandom(random.nextLong(), 0.3, Fault.CONFLICT, Fault.AMBIGUOUS_DONE, Fault.AMBIGUOUS_NOT_DONE);

            for (int i = 0; i < 10; i++) {
                String box = "box-" + random.nextInt(2);
                applied(change(record -> new Transition.Changed(record.withBox(box))));
            }

            List<InstanceRecord> versions = written.writes().stream()
                    .map(write -> RecordCodec.decode(REF, write.value()))
                    .toList();
            assertThat(versions).hasSizeGreaterThanOrEqualTo(10);
            for (int i = 0; i < versions.size(); i++) {
                assertThat(versions.get(i).version()).isEqualTo(i + 2);
            }
            assertThat(versions.stream().map(InstanceRecord::writer)).doesNotHaveDuplicates();
        });
    }

    @Test
    void members_that_this_version_does_not_know_are_written_again() throws Exception {
        String json = new String(CarlosJson.write(RECORD), StandardCharsets.UTF_8)
                .replaceFirst("\\{", "{\"labels\":{\"tier\":[\"gold\"]},");
        objects.put(REF.key(), json.getBytes(StandardCharsets.UTF_8), Precondition.NONE);

        applied(change(CLAIM));

        JsonNode after = CarlosJson.mapper()
                .readTree(objects.get(REF.key()).orElseThrow().value());
        assertThat(after.at("/labels/tier/0").asString()).isEqualTo("gold");
        assertThat(after.at("/box").asString()).isEqualTo("mine");
    }

    private ChangeOutcome change(RecordChange change) throws Exception {
        return process.call(() -> records.change(REF, change));
    }

    private void changeByOthers(RecordChange change) {
        try {
            others.change(REF, change);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static StoredRecord applied(ChangeOutcome outcome) {
        assertThat(outcome).isInstanceOf(ChangeOutcome.Applied.class);
        return ((ChangeOutcome.Applied) outcome).stored();
    }
}

package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.names.InputFileName;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Records;
import io.carlos.model.records.Seed;
import io.carlos.model.runs.Transition.Refusal;
import io.carlos.model.time.OneProcess;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunSubmitterRefusalTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final InstanceRecord RECORD = Records.of("a.example.com");

    private StoredRuns runs = new StoredRuns();

    @Test
    void a_run_without_a_record_is_no_run() throws Exception {
        assertThat(submit(Records.of("other.example.com").ref(), MINUTE, List.of("a")))
                .isEqualTo(new SubmitOutcome.NoRecord());

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_run_beside_an_open_one_is_a_conflict_that_names_it() throws Exception {
        runs.queue(StoredRuns.LATER_ID);

        SubmitOutcome.Refused refused = refused(submit());

        assertThat(refused.reason()).isEqualTo(Refusal.RUN_CONFLICT);
        assertThat(refused.detail()).contains(StoredRuns.LATER_ID.value());
    }

    @Test
    void a_refused_run_uploads_nothing() throws Exception {
        runs.queue(StoredRuns.LATER_ID);

        refused(submit());

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_run_that_another_came_before_during_the_upload_is_a_conflict() throws Exception {
        runs.store().beforeNext(Call.PUT, key -> key.startsWith("records/"), () -> runs.queue(StoredRuns.LATER_ID));

        assertThat(refused(submit()).reason()).isEqualTo(Refusal.RUN_CONFLICT);

        assertThat(runs.run().id()).isEqualTo(StoredRuns.LATER_ID);
    }

    @Test
    void a_trashed_record_takes_no_run() throws Exception {
        runs.set(runs.record().withTrashedAt(runs.now()));

        assertThat(refused(submit()).reason()).isEqualTo(Refusal.TRASHED);
    }

    @Test
    void a_record_whose_import_is_not_committed_takes_no_run() throws Exception {
        runs = new StoredRuns(
                Records.withSeed(RECORD, new Seed(Seed.Kind.IMPORT, Seed.State.PLACED)), new OneProcess());

        assertThat(refused(submit()).reason()).isEqualTo(Refusal.IMPORT);
    }

    @Test
    void a_host_that_is_made_again_during_the_upload_takes_no_run_of_the_old_one() throws Exception {
        runs.store().beforeNext(Call.PUT, key -> key.startsWith("records/"), () -> {
            runs.objects().delete(runs.ref().key());
            runs.create(Records.createdAt(RECORD, Records.CREATED.plusSeconds(1)));
        });

        SubmitOutcome.Refused refused = refused(submit());

        assertThat(refused.detail()).contains("made again");
        assertThat(runs.record().run()).isEmpty();
    }

    @Test
    void a_record_that_is_deleted_during_the_upload_is_no_record() throws Exception {
        runs.store()
                .beforeNext(
                        Call.PUT,
                        key -> key.startsWith("records/"),
                        () -> runs.objects().delete(runs.ref().key()));

        assertThat(submit()).isEqualTo(new SubmitOutcome.NoRecord());
    }

    @Test
    void a_refused_run_does_not_move_the_marker() throws Exception {
        runs.store().beforeNext(Call.PUT, key -> key.startsWith("records/"), () -> runs.queue(StoredRuns.LATER_ID));

        refused(submit());

        assertThat(runs.written().keys()).noneMatch(key -> key.value().startsWith("serial/"));
    }

    @Test
    void too_many_arguments_are_refused_before_any_write() {
        assertThatThrownBy(() -> submit(runs.ref(), MINUTE, Collections.nCopies(257, "a")))
                .isInstanceOf(InvalidRunException.class);

        assertThat(runs.written().writes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.999S", "PT24H1S", "PT-1S"})
    void a_timeout_out_of_bounds_is_refused_before_any_write(Duration timeout) {
        assertThatThrownBy(() -> submit(runs.ref(), timeout, List.of("a"))).isInstanceOf(InvalidRunException.class);

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void too_many_files_are_refused_before_any_write() {
        RunInput[] inputs = new RunInput[33];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = input("f" + i, 1);
        }

        assertThatThrownBy(() -> submit(runs.ref(), MINUTE, List.of("a"), inputs))
                .isInstanceOf(InvalidRunException.class);

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_file_over_16_MiB_is_refused_before_any_write() {
        assertThatThrownBy(() -> submit(runs.ref(), MINUTE, List.of("a"), input("big", RunRequest.MAX_FILE_BYTES + 1)))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("big");

        assertThat(runs.written().writes()).isEmpty();
    }

    @Test
    void a_lost_swap_that_cannot_be_looked_up_is_asked_for_again_and_found_done() throws Exception {
        runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.AMBIGUOUS_DONE);
        runs.store().beforeNext(Call.GET, key -> true, () -> {});
        runs.store().beforeNext(Call.GET, key -> true, () -> {});
        runs.store().failNext(Call.GET, Fault.UNAVAILABLE);

        assertThat(submit()).isInstanceOf(SubmitOutcome.Queued.class);

        assertThat(runs.record().run()).isPresent();
    }

    @Test
    void an_admission_whose_outcome_stays_unknown_is_not_called_unwritten() {
        for (int attempt = 0; attempt < 5; attempt++) {
            runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.AMBIGUOUS_NOT_DONE);
        }
        runs.store().beforeNext(Call.GET, key -> true, () -> {});
        for (int attempt = 0; attempt < 5; attempt++) {
            runs.store().beforeNext(Call.GET, key -> true, () -> {});
            runs.store().failNext(Call.GET, Fault.UNAVAILABLE);
        }

        assertThatThrownBy(this::submit).isInstanceOf(AmbiguousWriteException.class);
    }

    @Test
    void the_result_of_a_run_that_was_over_while_queued_is_stored_before_the_record_forgets_it() throws Exception {
        RunId before = ((SubmitOutcome.Queued) submit()).request().id();
        runs.change(record -> RunTransitions.cancel(record, before)); // its canceller died before the result

        submit();

        assertThat(runs.store().get(new RunKeys(runs.ref().account(), runs.ref().app(), before).result()))
                .isPresent();
    }

    private SubmitOutcome submit() throws Exception {
        return submit(runs.ref(), MINUTE, List.of("a"), input("f", 1));
    }

    private SubmitOutcome submit(RecordRef ref, Duration timeout, List<String> argv, RunInput... inputs)
            throws Exception {
        RunSubmitter submitter =
                new RunSubmitter(runs.store(), runs.records(), runs.process().scheduler(), new Random(1));
        RunOrder order = new RunOrder(ref, argv, timeout, "ann", List.of(inputs));
        return runs.process().call(() -> submitter.submit(order, file -> {}));
    }

    private static SubmitOutcome.Refused refused(SubmitOutcome outcome) {
        assertThat(outcome).isInstanceOf(SubmitOutcome.Refused.class);
        return (SubmitOutcome.Refused) outcome;
    }

    private static RunInput input(String name, int size) {
        return new RunInput() {
            @Override
            public InputFileName name() {
                return InputFileName.of(name);
            }

            @Override
            public byte[] read() {
                return new byte[size];
            }
        };
    }
}

package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.names.InputFileName;
import io.carlos.model.runs.ActiveRun.State;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.ObjectKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunSubmitterTest {
    private final StoredRuns runs = new StoredRuns();
    private final RunSubmitter submitter =
            new RunSubmitter(runs.store(), runs.records(), runs.process().scheduler(), new Random(1));
    private final List<String> uploaded = new ArrayList<>();

    @Test
    void a_run_is_written_in_the_order_inputs_request_record_marker() throws Exception {
        RunRequest request = queued(submit(input("a.csv", "1"), input("b.csv", "2")));

        RunKeys keys = request.keys();
        assertThat(runs.written().keys())
                .containsExactly(
                        keys.input(InputFileName.of("a.csv")),
                        keys.input(InputFileName.of("b.csv")),
                        keys.request(),
                        runs.ref().key(),
                        ObjectKey.of("serial/r1"));
    }

    @Test
    void a_queued_run_is_named_by_its_record_for_a_minute() throws Exception {
        RunRequest request = queued(submit());

        ActiveRun run = runs.run();
        assertThat(run.id()).isEqualTo(request.id());
        assertThat(run.state()).isEqualTo(State.QUEUED);
        assertThat(run.by()).isEqualTo("ann");
        assertThat(run.deadline()).isEqualTo(runs.now().plusSeconds(60));
    }

    @Test
    void an_admission_that_is_made_again_after_a_minute_gives_a_whole_minute_from_then() throws Exception {
        runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.AMBIGUOUS_NOT_DONE);
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {});
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {});
        runs.store()
                .beforeNext(
                        Call.GET,
                        key -> key.startsWith("records/"),
                        () -> runs.process().simulation().pause(Duration.ofSeconds(61)));

        queued(submit());

        assertThat(runs.store().outstanding()).isZero();
        assertThat(runs.run().deadline()).isEqualTo(runs.now().plusSeconds(60));
    }

    @Test
    void an_admission_that_finds_its_own_earlier_write_keeps_that_minute() throws Exception {
        Instant start = runs.now();
        runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), Fault.AMBIGUOUS_DONE);
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {});
        runs.store().beforeNext(Call.GET, key -> key.startsWith("records/"), () -> {});
        runs.store().failNext(Call.GET, key -> key.startsWith("records/"), Fault.UNAVAILABLE);

        queued(submit());

        assertThat(runs.store().outstanding()).isZero();
        assertThat(runs.now()).isAfter(start);
        assertThat(runs.run().deadline()).isEqualTo(start.plusSeconds(60));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"UNAVAILABLE", "AMBIGUOUS_NOT_DONE"})
    void a_marker_that_fails_twice_is_moved_by_the_third_attempt(Fault fault) throws Exception {
        runs.store().failNext(Call.PUT, key -> key.startsWith("serial/"), fault);
        runs.store().failNext(Call.PUT, key -> key.startsWith("serial/"), fault);

        queued(submit());

        assertThat(runs.written().keys()).endsWith(ObjectKey.of("serial/r1"));
    }

    @Test
    void the_stored_request_is_what_was_asked_of_this_incarnation() throws Exception {
        RunRequest request = queued(submit(input("a.csv", "hello")));

        byte[] stored =
                runs.objects().get(request.keys().request()).orElseThrow().value();
        assertThat(CarlosJson.read("request", stored, RunRequest.class)).isEqualTo(request);
        assertThat(request.argv()).containsExactly("import", "rows");
        assertThat(request.timeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(request.incarnation()).isEqualTo(runs.record().incarnation());
        assertThat(request.files())
                .containsExactly(new InputFile(
                        InputFileName.of("a.csv"),
                        5,
                        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"));
    }

    @Test
    void the_stored_input_is_the_files_content() throws Exception {
        RunRequest request = queued(submit(input("ä b.csv", "hello")));

        ObjectKey key = request.keys().input(InputFileName.of("ä b.csv"));
        assertThat(runs.objects().get(key).orElseThrow().value())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("hello");
    }

    @Test
    void each_file_is_reported_when_it_is_stored() throws Exception {
        queued(submit(input("a.csv", "1"), input("b.csv", "2")));

        assertThat(uploaded).containsExactly("a.csv after 1 writes", "b.csv after 2 writes");
    }

    @Test
    void a_file_that_changes_between_hashing_and_upload_queues_nothing() {
        String[] contents = {"before", "after!"};
        int[] reads = new int[1];

        assertThatThrownBy(() -> submit(input("a.csv", "1"), input("b.csv", () -> contents[reads[0]++])))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("b.csv")
                .hasMessageContaining("changed");

        assertNothingIsQueued();
    }

    @Test
    void a_file_that_grows_between_hashing_and_upload_queues_nothing() {
        StringBuilder content = new StringBuilder();

        assertThatThrownBy(() -> submit(input("a.csv", () -> content.append('x').toString())))
                .isInstanceOf(InvalidRunException.class);

        assertNothingIsQueued();
    }

    @Test
    void a_file_that_cannot_be_read_queues_nothing() {
        assertThatThrownBy(() -> submit(input("a.csv", () -> {
                    throw new IOException("gone");
                })))
                .isInstanceOf(IOException.class)
                .hasMessage("gone");

        assertNothingIsQueued();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"UNAVAILABLE", "AMBIGUOUS_NOT_DONE", "AMBIGUOUS_DONE"})
    void a_marker_that_cannot_be_moved_leaves_the_run_queued(Fault fault) throws Exception {
        for (int i = 0; i < 3; i++) {
            runs.store().failNext(Call.PUT, key -> key.startsWith("serial/"), fault);
        }

        RunRequest request = queued(submit());

        assertThat(runs.run().id()).isEqualTo(request.id());
        assertThat(runs.store().outstanding()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"UNAVAILABLE", "AMBIGUOUS_NOT_DONE", "AMBIGUOUS_DONE"})
    void an_upload_that_fails_is_done_again(Fault fault) throws Exception {
        runs.store().failNext(Call.PUT, key -> key.contains("/in/"), fault);
        runs.store().failNext(Call.PUT, key -> key.endsWith("/request.json"), fault);

        RunRequest request = queued(submit(input("a.csv", "hello")));

        assertThat(runs.run().id()).isEqualTo(request.id());
        assertThat(runs.written().keys()).hasSize(4).doesNotHaveDuplicates();
        assertThat(runs.store().outstanding()).isZero();
    }

    @Test
    void a_store_that_stays_away_ends_the_submission_with_nothing_queued() {
        runs.store().failAtRandom(1, 1.0, Fault.AMBIGUOUS_NOT_DONE);

        assertThatThrownBy(() -> submit(input("a.csv", "hello"))).hasMessageContaining("/in/a.csv");

        assertThat(runs.store().count(Call.PUT)).isEqualTo(5);
        assertNothingIsQueued();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"AMBIGUOUS_NOT_DONE", "AMBIGUOUS_DONE", "CONFLICT"})
    void a_swap_whose_answer_is_lost_queues_the_run_once(Fault fault) throws Exception {
        runs.store().failNext(Call.PUT, key -> key.startsWith("records/"), fault);

        RunRequest request = queued(submit());

        assertThat(runs.run().id()).isEqualTo(request.id());
        assertThat(runs.written().keys()).filteredOn(runs.ref().key()::equals).hasSize(1);
    }

    private void assertNothingIsQueued() {
        assertThat(runs.record().run()).isEmpty();
        assertThat(runs.written().keys()).noneMatch(key -> key.value().endsWith("request.json"));
    }

    private SubmitOutcome submit(RunInput... inputs) throws Exception {
        RunOrder order =
                new RunOrder(runs.ref(), List.of("import", "rows"), Duration.ofMinutes(5), "ann", List.of(inputs));
        return runs.process()
                .call(() -> submitter.submit(
                        order,
                        file -> uploaded.add(file.name() + " after "
                                + runs.written().writes().size() + " writes")));
    }

    private static RunRequest queued(SubmitOutcome outcome) {
        assertThat(outcome).isInstanceOf(SubmitOutcome.Queued.class);
        return ((SubmitOutcome.Queued) outcome).request();
    }

    private static RunInput input(String name, String content) {
        return input(name, () -> content);
    }

    private static RunInput input(String name, Content content) {
        return new RunInput() {
            @Override
            public InputFileName name() {
                return InputFileName.of(name);
            }

            @Override
            public byte[] read() throws IOException {
                return content.read().getBytes(StandardCharsets.UTF_8);
            }
        };
    }

    @FunctionalInterface
    private interface Content {
        String read() throws IOException;
    }
}

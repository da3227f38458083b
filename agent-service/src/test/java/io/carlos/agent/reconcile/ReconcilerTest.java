package io.carlos.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.BoxIdentity;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Isolation;
import io.carlos.model.records.RecordChange;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.RecordStore;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.runs.Transition;
import io.carlos.model.time.OneProcess;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReconcilerTest {
    private static final RunId ID = RunId.of("run_" + "a".repeat(26));
    private static final Instant DEADLINE = Instant.parse("2026-01-01T01:00:00Z");

    private final OneProcess process = new OneProcess();
    private final InMemoryObjectStore objects = new InMemoryObjectStore();
    private final FaultyObjectStore store = new FaultyObjectStore(objects);
    private final RecordStore others = new RecordStore(objects, process.scheduler(), new Random(2));
    private final List<InstanceRecord> seen = new ArrayList<>();
    private final Reconciler reconciler = new Reconciler(
            new BoxIdentity("me", "boot-1", "r1", List.of("p1", "p2")),
            Set.of(Isolation.PROCESS),
            store,
            new RecordStore(store, process.scheduler(), new Random(1)),
            seen::add,
            process.scheduler());

    @Test
    void no_record_is_a_pass_over_nothing() throws Exception {
        PassReport report = pass();

        assertThat(report.listed()).isZero();
        assertThat(seen).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 1000, 1001, 10_000})
    void records_that_have_not_changed_are_not_read_again(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            create(Records.of("h" + i + ".example.com").withBox("me"));
        }
        PassReport first = pass();
        int reads = store.count(Call.GET);

        PassReport second = pass();

        assertThat(first.read()).isEqualTo(count);
        assertThat(reads).isEqualTo(count);
        assertThat(second.listed()).isEqualTo(count);
        assertThat(second.read()).isZero();
        assertThat(store.count(Call.GET)).isEqualTo(reads);
    }

    @Test
    void only_the_record_that_changed_is_read_again() throws Exception {
        create(Records.of("a.example.com").withBox("me"));
        create(Records.of("b.example.com").withBox("me"));
        pass();
        queue(Records.of("b.example.com").ref());

        PassReport report = pass();

        assertThat(report.read()).isEqualTo(1);
        assertThat(hosts()).containsExactly("b.example.com");
    }

    @Test
    void an_open_run_is_handed_on_once_a_pass_though_its_record_has_not_changed() throws Exception {
        create(Records.of("a.example.com").withBox("me"));
        queue(Records.of("a.example.com").ref());

        pass();
        pass();

        assertThat(hosts()).containsExactly("a.example.com", "a.example.com");
    }

    @Test
    void a_run_on_another_boxes_record_is_handed_on_too() throws Exception {
        create(Records.of("a.example.com").withBox("other"));
        queue(Records.of("a.example.com").ref());

        pass();

        assertThat(hosts()).containsExactly("a.example.com");
    }

    @Test
    void a_run_that_is_done_is_not_handed_on() throws Exception {
        create(Records.of("a.example.com").withBox("me"));
        queue(Records.of("a.example.com").ref());
        change(Records.of("a.example.com").ref(), record -> RunTransitions.cancel(record, ID));

        pass();

        assertThat(seen).isEmpty();
    }

    @Test
    void a_record_without_a_box_is_claimed() throws Exception {
        create(Records.of("a.example.com"));

        PassReport report = pass();

        assertThat(report.claimed()).isEqualTo(1);
        assertThat(read("a.example.com").box()).isEqualTo("me");
    }

    @Test
    void a_run_on_a_record_that_this_pass_claims_is_handed_on_as_ours() throws Exception {
        create(Records.of("a.example.com"));
        queue(Records.of("a.example.com").ref());

        pass();

        assertThat(seen).hasSize(1);
        assertThat(seen.getFirst().box()).isEqualTo("me");
    }

    @Test
    void a_record_that_another_box_claims_first_stays_theirs() throws Exception {
        create(Records.of("a.example.com"));
        store.beforeNext(
                Call.PUT,
                key -> true,
                () -> change(
                        Records.of("a.example.com").ref(), record -> new Transition.Changed(record.withBox("other"))));

        PassReport report = pass();

        assertThat(report.claimed()).isZero();
        assertThat(read("a.example.com").box()).isEqualTo("other");
    }

    @Test
    void a_record_that_is_trashed_while_it_is_claimed_is_left_without_a_box() throws Exception {
        create(Records.of("a.example.com"));
        store.beforeNext(
                Call.PUT,
                key -> true,
                () -> change(
                        Records.of("a.example.com").ref(),
                        record -> new Transition.Changed(record.withTrashedAt(DEADLINE))));

        PassReport report = pass();

        assertThat(report.claimed()).isZero();
        assertThat(read("a.example.com").box()).isNull();
    }

    @Test
    void a_claim_whose_answer_is_lost_is_ours() throws Exception {
        create(Records.of("a.example.com"));
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);

        assertThat(pass().claimed()).isEqualTo(1);

        assertThat(read("a.example.com").version()).isEqualTo(2);
    }

    @Test
    void a_claim_that_others_always_come_before_is_left_to_the_next_pass() throws Exception {
        create(Records.of("a.example.com"));
        create(Records.of("b.example.com").withBox("me"));
        queue(Records.of("b.example.com").ref());
        for (int i = 0; i < 20; i++) {
            store.failNext(Call.PUT, Fault.CONFLICT);
        }

        PassReport report = pass();

        assertThat(report.claimed()).isZero();
        assertThat(hosts()).containsExactly("b.example.com");
        assertThat(pass().claimed()).isEqualTo(1);
    }

    @Test
    void a_trashed_record_or_one_of_an_isolation_that_we_cannot_give_is_not_claimed() throws Exception {
        create(Records.of("a.example.com").withTrashedAt(DEADLINE));
        create(Records.withIsolation(Records.of("b.example.com"), Isolation.MICROVM));

        assertThat(pass().claimed()).isZero();

        assertThat(store.count(Call.PUT)).isZero();
    }

    @Test
    void another_region_and_other_pools_are_neither_claimed_nor_handed_on() throws Exception {
        create(Records.inScope(Records.of("a.example.com"), "r2"));
        create(Records.inScope(Records.of("b.example.com"), "r2", "p1"));
        create(Records.inScope(Records.of("c.example.com"), "r1", "p3"));
        for (String host : List.of("a.example.com", "b.example.com", "c.example.com")) {
            queue(Records.of(host).ref());
        }

        PassReport report = pass();

        assertThat(report.claimed()).isZero();
        assertThat(seen).isEmpty();
    }

    @Test
    void one_pool_in_common_is_enough() throws Exception {
        create(Records.inScope(Records.of("a.example.com"), "r1", "p3", "p2"));

        assertThat(pass().claimed()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "{\"schema\":2}", "{\"schema\":1}", ""})
    void a_record_that_cannot_be_read_is_left_out_and_counted(String value) throws Exception {
        create(Records.of("a.example.com"));
        put(Records.of("b.example.com").ref().key(), value);
        create(Records.of("c.example.com"));

        PassReport report = pass();

        assertThat(report.listed()).isEqualTo(3);
        assertThat(report.unreadable()).isEqualTo(1);
        assertThat(report.claimed()).isEqualTo(2);
    }

    @Test
    void a_key_that_is_no_records_is_left_out_and_counted() throws Exception {
        put(ObjectKey.of("records/acme/web/notes.txt"), "x");
        create(Records.of("a.example.com"));

        PassReport report = pass();

        assertThat(report.unreadable()).isEqualTo(1);
        assertThat(report.claimed()).isEqualTo(1);
    }

    @Test
    void a_record_that_is_deleted_after_the_listing_is_nothing() throws Exception {
        create(Records.of("a.example.com"));
        store.beforeNext(
                Call.GET,
                key -> true,
                () -> objects.delete(Records.of("a.example.com").ref().key()));

        PassReport report = pass();

        assertThat(report.claimed()).isZero();
        assertThat(report.unreadable()).isZero();
    }

    @Test
    void a_store_that_fails_in_the_middle_ends_the_pass_after_handing_on_what_was_seen() throws Exception {
        create(Records.of("a.example.com").withBox("me"));
        create(Records.of("b.example.com").withBox("me"));
        queue(Records.of("a.example.com").ref());
        store.failNext(Call.GET, key -> key.contains("/b.example.com"), Fault.UNAVAILABLE);

        assertThatThrownBy(this::pass).isInstanceOf(StoreUnavailableException.class);

        assertThat(hosts()).containsExactly("a.example.com");
    }

    private PassReport pass() throws Exception {
        return process.call(reconciler::pass);
    }

    private List<String> hosts() {
        return seen.stream().map(record -> record.host().value()).toList();
    }

    private void create(InstanceRecord record) {
        assertThat(others.create(record)).isPresent();
    }

    private InstanceRecord read(String host) {
        return others.read(Records.of(host).ref()).orElseThrow().record();
    }

    private void queue(RecordRef ref) {
        change(ref, record -> RunTransitions.admit(record, ID, "ann", DEADLINE));
    }

    private void change(RecordRef ref, RecordChange change) {
        try {
            others.change(ref, change);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void put(ObjectKey key, String value) {
        objects.put(key, value.getBytes(StandardCharsets.UTF_8), Precondition.NONE);
    }
}

package io.carlos.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.records.Records;
import io.carlos.model.runs.RunTransitions;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.ObjectKey;
import io.carlos.store.ObjectStore;
import io.carlos.store.ReadRefusedException;
import io.carlos.store.StoreUnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pass reads and hands on. */
class ReconcilerTest {
    private final PassWorld world = new PassWorld();

    @Test
    void no_record_is_a_pass_over_nothing() throws Exception {
        PassReport report = world.pass();

        assertThat(report.listed()).isZero();
        assertThat(world.seen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 1000, 1001, 10_000})
    void records_that_have_not_changed_are_not_read_again(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            world.create(Records.of("h" + i + ".example.com").withBox("me"));
        }
        PassReport first = world.pass();
        int reads = world.store().count(Call.GET);

        PassReport second = world.pass();

        assertThat(first.read()).isEqualTo(count);
        assertThat(reads).isEqualTo(count);
        assertThat(second.listed()).isEqualTo(count);
        assertThat(second.read()).isZero();
        assertThat(world.store().count(Call.GET)).isEqualTo(reads);
    }

    @Test
    void a_pass_ends_at_its_next_record_once_the_agent_stops_and_tells_nobody_of_a_whole() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.stop();

        assertThatThrownBy(world::pass).hasStackTraceContaining("the agent stops");

        assertThat(world.store().count(Call.GET)).isZero();
    }

    @Test
    void only_the_record_that_changed_is_read_again() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.create(Records.of("b.example.com").withBox("me"));
        world.pass();
        world.queue(Records.of("b.example.com").ref());

        PassReport report = world.pass();

        assertThat(report.read()).isEqualTo(1);
        assertThat(world.hosts()).containsExactly("b.example.com");
    }

    @Test
    void an_open_run_is_handed_on_once_a_pass_though_its_record_has_not_changed() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.queue(Records.of("a.example.com").ref());

        world.pass();
        world.pass();

        assertThat(world.hosts()).containsExactly("a.example.com", "a.example.com");
    }

    @Test
    void a_run_on_another_boxes_record_is_handed_on_too() throws Exception {
        world.create(Records.of("a.example.com").withBox("other"));
        world.queue(Records.of("a.example.com").ref());

        world.pass();

        assertThat(world.hosts()).containsExactly("a.example.com");
    }

    @Test
    void a_run_that_is_done_is_not_handed_on() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.queue(Records.of("a.example.com").ref());
        world.change(Records.of("a.example.com").ref(), record -> RunTransitions.cancel(record, PassWorld.ID));

        world.pass();

        assertThat(world.seen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"not json", "{\"schema\":2}", "{\"schema\":1}", ""})
    void a_record_that_cannot_be_read_is_left_out_and_counted(String value) throws Exception {
        world.create(Records.of("a.example.com"));
        world.put(Records.of("b.example.com").ref().key(), value);
        world.create(Records.of("c.example.com"));

        PassReport report = world.pass();

        assertThat(report.listed()).isEqualTo(3);
        assertThat(report.unreadable()).isEqualTo(1);
        assertThat(report.claimed()).isEqualTo(2);
    }

    @Test
    void a_record_that_no_store_would_give_is_left_out_and_counted_and_ends_no_pass() throws Exception {
        world.put(Records.of("b.example.com").ref().key(), "x");
        world.create(Records.of("c.example.com"));
        world.store().listSize(Records.of("b.example.com").ref().key(), ObjectStore.MAX_VALUE_BYTES + 1L);
        world.store().failNext(Call.GET, key -> key.contains("/b.example.com"), Fault.UNAVAILABLE);

        PassReport report = world.pass();

        assertThat(report.unreadable()).isEqualTo(1);
        assertThat(report.claimed()).isEqualTo(1);
    }

    @Test
    void a_key_that_is_no_records_is_left_out_and_counted() throws Exception {
        world.put(ObjectKey.of("records/acme/web/notes.txt"), "x");
        world.create(Records.of("a.example.com"));

        PassReport report = world.pass();

        assertThat(report.unreadable()).isEqualTo(1);
        assertThat(report.claimed()).isEqualTo(1);
    }

    @Test
    void a_record_that_is_deleted_after_the_listing_is_nothing() throws Exception {
        world.create(Records.of("a.example.com"));
        world.store()
                .beforeNext(
                        Call.GET,
                        key -> true,
                        () -> world.objects()
                                .delete(Records.of("a.example.com").ref().key()));

        PassReport report = world.pass();

        assertThat(report.claimed()).isZero();
        assertThat(report.unreadable()).isZero();
    }

    @Test
    void a_store_that_fails_in_the_middle_ends_the_pass_after_handing_on_what_was_seen() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.create(Records.of("b.example.com").withBox("me"));
        world.queue(Records.of("a.example.com").ref());
        world.store().failNext(Call.GET, key -> key.contains("/b.example.com"), Fault.UNAVAILABLE);

        assertThatThrownBy(world::pass).isInstanceOf(StoreUnavailableException.class);

        assertThat(world.hosts()).containsExactly("a.example.com");
    }

    @Test
    void a_record_that_the_store_does_not_give_is_left_out_and_counted_while_it_gives_others() throws Exception {
        for (String host : List.of("a.example.com", "b.example.com")) {
            world.create(Records.of(host));
        }
        world.store().failNext(Call.GET, key -> key.contains("/a.example.com"), Fault.REFUSED);

        PassReport report = world.pass();

        assertThat(report.unreadable()).isEqualTo(1);
        assertThat(report.claimed()).isEqualTo(1);
    }

    @Test
    void a_record_that_is_not_given_is_left_out_while_one_that_has_not_changed_is_given() throws Exception {
        world.create(Records.of("a.example.com"));
        world.pass();
        world.create(Records.of("b.example.com"));
        world.store().failNext(Call.GET, key -> key.contains("/b.example.com"), Fault.REFUSED);

        assertThat(world.pass().unreadable()).isEqualTo(1);
    }

    @Test
    void a_store_that_gives_no_record_any_more_ends_the_pass() throws Exception {
        world.create(Records.of("a.example.com"));
        world.pass();
        world.create(Records.of("b.example.com"));
        world.store().failNext(Call.GET, key -> key.contains("/b.example.com"), Fault.REFUSED);
        world.store().failNext(Call.GET, key -> key.contains("/a.example.com"), Fault.REFUSED);

        assertThatThrownBy(world::pass).isInstanceOf(ReadRefusedException.class);
    }
}

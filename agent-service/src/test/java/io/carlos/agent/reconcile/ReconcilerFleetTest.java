package io.carlos.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.fleet.TakeOver;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.RecordRef;
import io.carlos.model.records.Records;
import io.carlos.model.runs.Transition;
import io.carlos.store.FaultyObjectStore.Call;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which records a pass takes among the boxes of a fleet. */
class ReconcilerFleetTest {
    private static final String HOST = "a.example.com";

    @Test
    void a_claim_carries_the_epoch_of_the_boxs_start() throws Exception {
        PassWorld world = new PassWorld();
        world.create(Records.of(HOST));

        world.pass();

        assertThat(world.read(HOST).boxEpoch()).isEqualTo(7);
    }

    @Test
    void a_record_of_a_lost_box_is_taken_over_where_that_is_automatic() throws Exception {
        PassWorld world = new PassWorld(100, TakeOver.AUTOMATIC);
        world.create(Records.of(HOST).withBox("other", 3L));
        world.queue(Records.of(HOST).ref());
        world.fleet().lose("other");

        assertThat(world.pass().claimed()).isEqualTo(1);

        assertThat(world.read(HOST).box()).isEqualTo("me");
        assertThat(world.read(HOST).boxEpoch()).isEqualTo(7);
        assertThat(world.seen()).extracting(InstanceRecord::box).containsExactly("me");
    }

    @Test
    void a_record_of_a_lost_box_stays_where_an_operator_moves_them() throws Exception {
        PassWorld world = new PassWorld(100, TakeOver.OPERATOR);
        world.create(Records.of(HOST).withBox("other"));
        world.fleet().lose("other");

        assertThat(world.pass().claimed()).isZero();

        assertThat(world.read(HOST).box()).isEqualTo("other");
    }

    @Test
    void a_record_of_a_living_box_is_not_taken_over() throws Exception {
        PassWorld world = new PassWorld(100, TakeOver.AUTOMATIC);
        world.create(Records.of(HOST).withBox("other"));
        world.fleet().lose("another");

        assertThat(world.pass().claimed()).isZero();

        assertThat(world.store().count(Call.PUT)).isZero();
    }

    @Test
    void a_record_that_a_third_box_took_first_stays_theirs() throws Exception {
        PassWorld world = new PassWorld(100, TakeOver.AUTOMATIC);
        world.create(Records.of(HOST).withBox("other"));
        world.fleet().lose("other");
        world.store()
                .beforeNext(
                        Call.PUT,
                        key -> true,
                        () -> world.change(
                                Records.of(HOST).ref(), record -> new Transition.Changed(record.withBox("third"))));

        assertThat(world.pass().claimed()).isZero();

        assertThat(world.read(HOST).box()).isEqualTo("third");
    }

    @Test
    void a_box_that_may_have_been_taken_for_lost_claims_nothing() throws Exception {
        PassWorld world = new PassWorld(100, TakeOver.AUTOMATIC);
        world.create(Records.of(HOST));
        world.fleet().goStale();

        assertThat(world.pass().claimed()).isZero();
    }

    @Test
    void a_box_without_room_leaves_records_to_others() throws Exception {
        PassWorld world = new PassWorld(2, TakeOver.OPERATOR);
        for (String host : List.of("a.example.com", "b.example.com", "c.example.com")) {
            world.create(Records.of(host));
        }

        assertThat(world.pass().claimed()).isEqualTo(2);
        assertThat(world.pass().claimed()).isZero();

        assertThat(world.read("c.example.com").box()).isNull();
    }

    @Test
    void room_that_is_taken_by_records_later_in_the_listing_counts() throws Exception {
        PassWorld world = new PassWorld(1, TakeOver.OPERATOR);
        world.create(Records.of("z.example.com").withBox("me"));
        world.create(Records.of(HOST));

        assertThat(world.pass().claimed()).isZero();
    }

    @Test
    void what_is_in_the_trash_takes_no_room() throws Exception {
        PassWorld world = new PassWorld(1, TakeOver.OPERATOR);
        world.create(Records.of("a.example.com").withBox("me").withTrashedAt(Records.CREATED));
        world.create(Records.of("b.example.com"));

        assertThat(world.pass().claimed()).isEqualTo(1);
    }

    @Test
    void a_record_that_was_lost_with_its_box_stays_when_the_box_has_begun_anew() throws Exception {
        PassWorld world = new PassWorld(100, TakeOver.AUTOMATIC);
        world.create(Records.of(HOST).withBox("other"));
        world.fleet().lose("other");
        world.fleet().beginsAnew("other");

        assertThat(world.pass().claimed()).isZero();
    }

    @Test
    void what_a_box_owns_stays_its_own_in_whichever_pool() throws Exception {
        PassWorld world = new PassWorld();
        world.create(Records.inScope(Records.of(HOST), "r1", "p9").withBox("me"));
        world.queue(Records.of(HOST).ref());

        world.pass();

        assertThat(world.hosts()).containsExactly(HOST);
    }

    @Test
    void a_free_record_of_a_host_that_is_owned_later_in_the_listing_is_not_claimed() throws Exception {
        PassWorld world = new PassWorld();
        InstanceRecord mine = Records.of(HOST).withBox("me");
        world.create(sameHost("aaa"));
        world.create(mine);

        assertThat(world.pass().claimed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"aaa", "zzz"})
    void a_record_that_is_given_to_the_box_does_not_displace_the_one_that_has_its_host(String account)
            throws Exception {
        PassWorld world = new PassWorld();
        InstanceRecord owner = Records.of(HOST).withBox("me");
        InstanceRecord other = sameHost(account);
        world.create(owner);
        world.create(other.withBox("elsewhere"));
        world.pass();
        world.change(other.ref(), record -> new Transition.Changed(record.withBox("me")));
        world.queue(owner.ref());
        world.queue(other.ref());

        world.pass();
        world.pass();

        assertThat(world.seen()).extracting(InstanceRecord::ref).containsOnly(owner.ref());
        assertThat(world.instances().last()).extracting(InstanceRecord::ref).containsExactly(owner.ref());
    }

    @ParameterizedTest
    @ValueSource(strings = {"aaa", "zzz"})
    void a_record_has_its_host_when_the_one_that_had_it_is_another_boxs(String account) throws Exception {
        PassWorld world = new PassWorld();
        InstanceRecord owner = Records.of(HOST).withBox("me");
        InstanceRecord other = sameHost(account);
        world.create(owner);
        world.pass();
        world.create(other.withBox("me"));
        world.pass();
        world.change(owner.ref(), record -> new Transition.Changed(record.withBox("elsewhere")));

        world.pass();

        assertThat(world.instances().last()).extracting(InstanceRecord::ref).containsExactly(other.ref());
    }

    @Test
    void a_record_that_has_its_host_keeps_it_while_it_cannot_be_read() throws Exception {
        PassWorld world = new PassWorld();
        world.create(Records.of(HOST).withBox("me"));
        world.pass();
        world.put(Records.of(HOST).ref().key(), "not json");
        world.create(sameHost("aaa").withBox("me"));

        world.pass();
        world.pass();

        assertThat(world.instances().last()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"aaa", "zzz"})
    void a_record_in_the_trash_has_its_host_only_when_no_other_has(String account) throws Exception {
        PassWorld world = new PassWorld();
        world.create(sameHost(account).withBox("me").withTrashedAt(Records.CREATED));
        world.create(Records.of(HOST).withBox("me"));

        world.pass();

        assertThat(world.instances().last())
                .extracting(InstanceRecord::ref)
                .containsExactly(Records.of(HOST).ref());
    }

    @Test
    void a_record_that_cannot_be_read_takes_room() throws Exception {
        PassWorld world = new PassWorld(1, TakeOver.OPERATOR);
        world.put(Records.of("z.example.com").ref().key(), "not json");
        world.create(Records.of(HOST));

        assertThat(world.pass().claimed()).isZero();
    }

    @Test
    void the_host_of_a_record_that_cannot_be_read_is_not_claimed_for_another() throws Exception {
        PassWorld world = new PassWorld();
        world.put(Records.of(HOST).ref().key(), "not json");
        world.create(sameHost("aaa"));

        assertThat(world.pass().claimed()).isZero();
    }

    private static InstanceRecord sameHost(String account) {
        InstanceRecord model = Records.of(HOST);
        return InstanceRecord.created(
                new RecordRef(Account.of(account), App.of("web"), model.host()),
                "slug",
                model.region(),
                "stable",
                List.of(),
                Records.CREATED,
                model.isolation(),
                model.memoryMax(),
                Map.of());
    }

    @Test
    void a_second_record_of_a_host_is_neither_claimed_nor_acted_on() throws Exception {
        PassWorld world = new PassWorld();
        InstanceRecord first = Records.of(HOST);
        InstanceRecord second = sameHost("evil");
        world.create(first.withBox("me"));
        world.create(second.withBox("me"));
        world.queue(first.ref());
        world.queue(second.ref());

        world.pass();

        assertThat(world.seen()).extracting(InstanceRecord::ref).containsExactly(first.ref());
    }
}

package io.carlos.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.records.Isolation;
import io.carlos.model.records.Records;
import io.carlos.model.runs.Transition;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which records a pass takes for its box. */
class ReconcilerClaimTest {
    private final PassWorld world = new PassWorld();

    @Test
    void a_record_without_a_box_is_claimed() throws Exception {
        world.create(Records.of("a.example.com"));

        PassReport report = world.pass();

        assertThat(report.claimed()).isEqualTo(1);
        assertThat(world.read("a.example.com").box()).isEqualTo("me");
    }

    @Test
    void a_run_on_a_record_that_this_pass_claims_is_handed_on_as_ours() throws Exception {
        world.create(Records.of("a.example.com"));
        world.queue(Records.of("a.example.com").ref());

        world.pass();

        assertThat(world.seen()).hasSize(1);
        assertThat(world.seen().getFirst().box()).isEqualTo("me");
    }

    @Test
    void a_record_that_another_box_claims_first_stays_theirs() throws Exception {
        world.create(Records.of("a.example.com"));
        world.store()
                .beforeNext(
                        Call.PUT,
                        key -> true,
                        () -> world.change(
                                Records.of("a.example.com").ref(),
                                record -> new Transition.Changed(record.withBox("other"))));

        PassReport report = world.pass();

        assertThat(report.claimed()).isZero();
        assertThat(world.read("a.example.com").box()).isEqualTo("other");
    }

    @Test
    void a_record_that_is_trashed_while_it_is_claimed_is_left_without_a_box() throws Exception {
        world.create(Records.of("a.example.com"));
        world.store()
                .beforeNext(
                        Call.PUT,
                        key -> true,
                        () -> world.change(
                                Records.of("a.example.com").ref(),
                                record -> new Transition.Changed(record.withTrashedAt(PassWorld.DEADLINE))));

        PassReport report = world.pass();

        assertThat(report.claimed()).isZero();
        assertThat(world.read("a.example.com").box()).isNull();
    }

    @Test
    void a_claim_whose_answer_is_lost_is_ours() throws Exception {
        world.create(Records.of("a.example.com"));
        world.store().failNext(Call.PUT, Fault.AMBIGUOUS_DONE);

        assertThat(world.pass().claimed()).isEqualTo(1);

        assertThat(world.read("a.example.com").version()).isEqualTo(2);
    }

    @Test
    void a_claim_that_others_always_come_before_is_left_to_the_next_pass() throws Exception {
        world.create(Records.of("a.example.com"));
        world.create(Records.of("b.example.com").withBox("me"));
        world.queue(Records.of("b.example.com").ref());
        for (int i = 0; i < 20; i++) {
            world.store().failNext(Call.PUT, Fault.CONFLICT);
        }

        PassReport report = world.pass();

        assertThat(report.claimed()).isZero();
        assertThat(world.hosts()).containsExactly("b.example.com");
        assertThat(world.pass().claimed()).isEqualTo(1);
    }

    @Test
    void a_trashed_record_or_one_of_an_isolation_that_we_cannot_give_is_not_claimed() throws Exception {
        world.create(Records.of("a.example.com").withTrashedAt(PassWorld.DEADLINE));
        world.create(Records.withIsolation(Records.of("b.example.com"), Isolation.MICROVM));

        assertThat(world.pass().claimed()).isZero();

        assertThat(world.store().count(Call.PUT)).isZero();
    }

    @Test
    void another_region_and_other_pools_are_neither_claimed_nor_handed_on() throws Exception {
        world.create(Records.inScope(Records.of("a.example.com"), "r2"));
        world.create(Records.inScope(Records.of("b.example.com"), "r2", "p1"));
        world.create(Records.inScope(Records.of("c.example.com"), "r1", "p3"));
        for (String host : List.of("a.example.com", "b.example.com", "c.example.com")) {
            world.queue(Records.of(host).ref());
        }

        PassReport report = world.pass();

        assertThat(report.claimed()).isZero();
        assertThat(world.seen()).isEmpty();
    }

    @Test
    void one_pool_in_common_is_enough() throws Exception {
        world.create(Records.inScope(Records.of("a.example.com"), "r1", "p3", "p2"));

        assertThat(world.pass().claimed()).isEqualTo(1);
    }
}

package io.carlos.agent.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.records.Records;
import io.carlos.model.runs.Transition;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.StoreUnavailableException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which instances a pass says that the box should have. */
class ReconcilerInstancesTest {
    private final PassWorld world = new PassWorld();

    @Test
    void records_of_this_box_and_those_it_claims_are_its_instances() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.create(Records.of("b.example.com"));
        world.create(Records.of("c.example.com").withBox("other"));

        world.pass();

        assertThat(world.instances().hosts()).containsExactly("a.example.com", "b.example.com");
    }

    @Test
    void instances_are_told_again_though_no_record_has_changed() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));

        world.pass();
        world.pass();

        assertThat(world.instances().passes()).isEqualTo(2);
        assertThat(world.instances().hosts()).containsExactly("a.example.com");
    }

    @Test
    void a_record_in_the_trash_is_no_instance() throws Exception {
        world.create(Records.of("a.example.com").withBox("me").withTrashedAt(Instant.EPOCH));

        world.pass();

        assertThat(world.instances().hosts()).isEmpty();
    }

    @Test
    void a_record_of_another_region_is_no_instance() throws Exception {
        world.create(Records.inScope(Records.of("a.example.com"), "r2").withBox("me"));

        world.pass();

        assertThat(world.instances().hosts()).isEmpty();
    }

    @Test
    void a_record_that_moved_away_is_no_instance_any_more() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.pass();
        world.change(Records.of("a.example.com").ref(), record -> new Transition.Changed(record.withBox("other")));

        world.pass();

        assertThat(world.instances().hosts()).isEmpty();
        assertThat(world.instances().undecidedHosts()).isEmpty();
    }

    @Test
    void a_record_that_cannot_be_read_is_undecided() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.put(Records.of("b.example.com").ref().key(), "not json");

        world.pass();

        assertThat(world.instances().hosts()).containsExactly("a.example.com");
        assertThat(world.instances().undecidedHosts()).containsExactly("b.example.com");
    }

    @Test
    void a_pass_that_fails_says_nothing() throws Exception {
        world.create(Records.of("a.example.com").withBox("me"));
        world.create(Records.of("b.example.com").withBox("me"));
        world.store().failNext(Call.GET, key -> key.contains("/b.example.com"), Fault.UNAVAILABLE);

        assertThatThrownBy(world::pass).isInstanceOf(StoreUnavailableException.class);

        assertThat(world.instances().passes()).isZero();
    }
}

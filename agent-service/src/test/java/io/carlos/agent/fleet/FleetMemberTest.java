package io.carlos.agent.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.BoxIdentity;
import io.carlos.agent.VitalTask;
import io.carlos.model.fleet.BoxPresence;
import io.carlos.model.fleet.FleetTimes;
import io.carlos.model.fleet.Heartbeat;
import io.carlos.model.fleet.SupersededException;
import io.carlos.model.time.OneProcess;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One box among others, in virtual time. */
class FleetMemberTest {
    private static final FleetTimes TIMES = FleetTimes.DEFAULT;
    private static final Duration MORE_THAN_LOST =
            TIMES.lostAfter().plus(TIMES.interval().multipliedBy(2));

    private static final BoxIdentity IDENTITY = new BoxIdentity("b1", "boot", 1, "r1", List.of());

    private final OneProcess process = new OneProcess();
    private final FaultyObjectStore store = new FaultyObjectStore(new InMemoryObjectStore());
    private final RecordingListener listener = new RecordingListener();

    @Test
    void a_box_that_lives_stays_fresh_and_loses_nobody() {
        FleetMember one = join("b1");
        FleetMember two = join("b2");

        process.run(Duration.ofHours(1));

        assertThat(one.mayWrite()).isTrue();
        assertThat(one.isLost("b2")).isFalse();
        assertThat(two.isLost("b1")).isFalse();
    }

    @Test
    void a_box_that_falls_silent_is_lost_to_the_others_only_when_it_is_stale_itself() {
        FleetMember watcher = join("b1");
        BoxPresence silent = begin("b2");
        for (int second = 0; second < MORE_THAN_LOST.toSeconds(); second++) {
            process.run(Duration.ofSeconds(1));
            assertThat(watcher.isLost("b2") && silent.isFresh()).isFalse();
        }

        assertThat(watcher.isLost("b2")).isTrue();
    }

    @Test
    void a_box_that_comes_back_is_not_lost_any_more() {
        FleetMember watcher = join("b1");
        BoxPresence silent = begin("b2");
        process.run(MORE_THAN_LOST);

        assertThat(watcher.isLost("b2")).isTrue();

        process.fork("back", silent::beat);
        process.run(TIMES.interval().plusSeconds(1));

        assertThat(watcher.isLost("b2")).isFalse();
    }

    @Test
    void an_outage_of_the_store_makes_a_box_stale_and_nobody_lost() {
        FleetMember one = join("b1");
        FleetMember two = join("b2");
        process.run(Duration.ofMinutes(1));
        store.failAtRandom(1, 1, Fault.UNAVAILABLE);
        process.run(Duration.ofMinutes(20));
        assertThat(one.mayWrite()).isFalse();
        store.failAtRandom(1, 0, Fault.UNAVAILABLE);
        for (int second = 0; second < 300; second++) {
            process.run(Duration.ofSeconds(1));
            assertThat(one.isLost("b2") || two.isLost("b1")).isFalse();
        }

        assertThat(one.mayWrite()).isTrue();
        assertThat(two.mayWrite()).isTrue();
    }

    @Test
    void one_failed_beat_is_tried_again_before_it_matters() {
        FleetMember one = join("b1");
        store.failNext(Call.PUT, Fault.UNAVAILABLE);
        store.failNext(Call.PUT, Fault.AMBIGUOUS_NOT_DONE);

        process.run(Duration.ofMinutes(2));

        assertThat(one.mayWrite()).isTrue();
        assertThat(store.outstanding()).isZero();
    }

    @Test
    void the_older_of_two_agents_of_one_name_is_told_once_and_never_acts_again() {
        FleetMember older = join("b1");
        FleetMember newer = join("b1");

        process.run(Duration.ofMinutes(10));

        assertThat(listener.ends()).containsExactly(SupersededException.Reason.NEWER_AGENT);
        assertThat(older.isRevoked()).isTrue();
        assertThat(older.mayWrite()).isFalse();
        assertThat(newer.mayWrite()).isTrue();
    }

    @Test
    void a_box_that_is_taken_over_stays_lost_until_it_starts_anew_and_its_old_start_never_acts_again() {
        BoxPresence silent = begin("b2");
        FleetMember watcher = join("b1", TakeOver.AUTOMATIC);
        process.run(MORE_THAN_LOST.multipliedBy(3));
        assertThat(watcher.isLost("b2")).isTrue();
        assertThat(listener.losses()).containsExactly("b2");
        assertThat(watcher.isStillLost("b2")).isTrue();

        process.fork(
                "wakes",
                () -> assertThatThrownBy(silent::beat)
                        .isInstanceOf(SupersededException.class)
                        .hasMessageContaining("b1 took it for lost"));
        process.run(TIMES.interval().multipliedBy(2));
        assertThat(silent.isFresh()).isFalse();
        assertThat(watcher.isLost("b2")).isTrue();

        BoxPresence anew = begin("b2");
        assertThat(watcher.isLost("b2")).isTrue();
        assertThat(watcher.isStillLost("b2")).isFalse();
        process.run(TIMES.interval().plusSeconds(1));
        assertThat(anew.epoch()).isEqualTo(2);
        assertThat(watcher.isLost("b2")).isFalse();
    }

    @Test
    void a_box_that_wakes_just_before_it_would_be_taken_over_is_not_lost() {
        BoxPresence silent = begin("b2");
        FleetMember watcher = join("b1", TakeOver.AUTOMATIC);
        store.beforeNext(Call.PUT, key -> key.contains("b2"), () -> beat(silent));

        process.run(MORE_THAN_LOST);

        assertThat(silent.isFresh()).isTrue();
        assertThat(watcher.isLost("b2")).isFalse();
        assertThat(store.outstanding()).isZero();
    }

    @Test
    void a_box_whose_own_time_is_longer_is_not_lost_before_that() {
        FleetTimes longer = new FleetTimes(TIMES.lostAfter().multipliedBy(4));
        BoxPresence.begin(store, process.scheduler(), longer, "r1", "b2", "boot");
        FleetMember watcher = join("b1", TakeOver.AUTOMATIC);

        process.run(TIMES.lostAfter().multipliedBy(3));
        assertThat(watcher.isLost("b2")).isFalse();
        process.run(TIMES.lostAfter().multipliedBy(2));

        assertThat(watcher.isLost("b2")).isTrue();
    }

    @Test
    void an_agent_whose_name_was_taken_does_not_hold_it_even_before_it_is_told() {
        FleetMember older = join("b1");
        process.run(Duration.ofSeconds(1));
        assertThat(older.holdsName()).isTrue();

        begin("b1");

        assertThat(older.mayWrite()).isTrue();
        assertThat(older.holdsName()).isFalse();
    }

    @Test
    void two_boxes_that_lose_a_third_both_may_take_from_it() {
        begin("b3");
        FleetMember one = join("b1", TakeOver.AUTOMATIC);
        FleetMember two = join("b2", TakeOver.AUTOMATIC);

        process.run(MORE_THAN_LOST.multipliedBy(3));

        assertThat(one.isLost("b3") && two.isLost("b3")).isTrue();
        assertThat(one.mayWrite() && two.mayWrite()).isTrue();
    }

    @Test
    void a_heartbeat_that_cannot_be_read_hides_no_other_lost_box_and_is_looked_at_again_soon() {
        begin("b2");
        begin("b3");
        FleetMember watcher = join("b1", TakeOver.AUTOMATIC);
        process.run(TIMES.lostAfter().minusSeconds(1));
        store.failNext(Call.GET, key -> key.contains("b2"), Fault.UNAVAILABLE);
        store.failNext(Call.GET, key -> key.contains("b3"), Fault.UNAVAILABLE);

        process.run(Duration.ofSeconds(2));
        assertThat(store.outstanding()).isZero();
        assertThat(watcher.isLost("b2") || watcher.isLost("b3")).isFalse();
        process.run(TIMES.interval().dividedBy(10));

        assertThat(watcher.isLost("b2") && watcher.isLost("b3")).isTrue();
    }

    @Test
    void a_key_that_is_no_heartbeats_hides_no_lost_box_of_its_name() {
        begin("b2");
        store.put(ObjectKey.of("boxes/r1/z/b2.json"), new byte[0], Precondition.NONE);
        FleetMember watcher = join("b1", TakeOver.AUTOMATIC);

        process.run(MORE_THAN_LOST);

        assertThat(watcher.isLost("b2")).isTrue();
    }

    @Test
    void a_member_that_is_stopped_in_a_beat_ends_without_another_wait() throws Exception {
        FleetMember member = member("b1", TakeOver.OPERATOR);
        store.beforeNext(Call.LIST, prefix -> true, () -> stop(member));

        process.call(() -> {
            member.run();
            return null;
        });

        assertThat(process.scheduler().nanoTime()).isZero();
    }

    @Test
    void an_agent_in_whose_place_something_else_is_stored_is_told_that_its_name_is_taken() {
        join("b1");
        process.run(Duration.ofSeconds(1));
        store.put(Heartbeat.key("r1", "b1"), new byte[0], Precondition.NONE);

        process.run(TIMES.interval().multipliedBy(3));

        assertThat(listener.ends()).containsExactly(SupersededException.Reason.NEWER_AGENT);
    }

    @Test
    void a_member_lives_on_a_task_whose_end_ends_the_process() {
        RecordingForks forks = new RecordingForks(process.scheduler());

        new FleetMember(store, forks, TIMES, IDENTITY, begin("b1"), TakeOver.OPERATOR, listener).start();

        assertThat(forks.bodies()).singleElement().isInstanceOf(VitalTask.class);
    }

    private static void stop(FleetMember member) {
        try {
            member.stop();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void beat(BoxPresence presence) {
        try {
            presence.beat();
        } catch (SupersededException e) {
            throw new AssertionError(e);
        }
    }

    private FleetMember join(String box) {
        return join(box, TakeOver.OPERATOR);
    }

    private FleetMember join(String box, TakeOver takeOver) {
        FleetMember member = member(box, takeOver);
        process.fork("fleet " + box, member::run);
        return member;
    }

    private FleetMember member(String box, TakeOver takeOver) {
        BoxPresence presence = begin(box);
        return new FleetMember(
                store,
                process.scheduler(),
                TIMES,
                new BoxIdentity(box, presence.bootId(), presence.epoch(), "r1", List.of()),
                presence,
                takeOver,
                listener);
    }

    private BoxPresence begin(String box) {
        return BoxPresence.begin(store, process.scheduler(), TIMES, "r1", box, box + "-" + store.count(Call.PUT));
    }
}

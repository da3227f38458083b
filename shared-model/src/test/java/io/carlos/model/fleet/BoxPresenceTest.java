package io.carlos.model.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.time.OneProcess;
import io.carlos.model.time.Scheduler;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.Precondition;
import io.carlos.store.StoreUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BoxPresenceTest {
    private final FaultyObjectStore store = new FaultyObjectStore(new InMemoryObjectStore());
    private final OneProcess process = new OneProcess();
    private final Scheduler scheduler = process.scheduler();

    @Test
    void everyStartHasTheNextEpoch() {
        assertThat(begin("boot-1").epoch()).isEqualTo(1);
        assertThat(begin("boot-2").epoch()).isEqualTo(2);
        assertThat(stored().bootId()).isEqualTo("boot-2");
    }

    @Test
    void aStartWhoseAnswerWasLostKeepsItsEpochWhenItAsksAgain() {
        begin("boot-1");
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        assertThatThrownBy(() -> begin("boot-2")).isInstanceOf(AmbiguousWriteException.class);
        assertThat(begin("boot-2").epoch()).isEqualTo(2);
    }

    @Test
    void aBoxIsFreshUntilItsTimeIsOver() throws Exception {
        process.call(() -> {
            BoxPresence presence = begin("boot-1");
            scheduler.sleep(FleetTimes.DEFAULT.freshFor().minusMillis(1));
            assertThat(presence.isFresh()).isTrue();
            scheduler.sleep(Duration.ofMillis(1));
            assertThat(presence.isFresh()).isFalse();
            presence.beat();
            assertThat(presence.isFresh()).isTrue();
            return null;
        });
    }

    @Test
    void aBeatThatFailsRenewsNothing() throws Exception {
        process.call(() -> {
            BoxPresence presence = begin("boot-1");
            scheduler.sleep(FleetTimes.DEFAULT.freshFor());
            store.failNext(Call.PUT, Fault.UNAVAILABLE);
            assertThatThrownBy(presence::beat).isInstanceOf(StoreUnavailableException.class);
            assertThat(presence.isFresh()).isFalse();
            presence.beat();
            assertThat(presence.isFresh()).isTrue();
            return null;
        });
    }

    @Test
    void aBeatWhoseAnswerWasLostHoldsWhenItIsFound() throws Exception {
        process.call(() -> {
            BoxPresence presence = begin("boot-1");
            scheduler.sleep(FleetTimes.DEFAULT.freshFor());
            store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
            presence.beat();
            assertThat(presence.isFresh()).isTrue();
            return null;
        });
    }

    @Test
    void aBeatThatCameToLightLateDoesNotRenewAsIfItWereNew() throws Exception {
        process.call(() -> {
            BoxPresence presence = begin("boot-1");
            store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
            store.failNext(Call.GET, Fault.UNAVAILABLE);
            assertThatThrownBy(presence::beat).isInstanceOf(StoreUnavailableException.class);
            scheduler.sleep(FleetTimes.DEFAULT.freshFor());
            // It conflicts with the lost one, which others may have seen for three minutes by now.
            assertThatThrownBy(presence::beat).isInstanceOf(CasConflictException.class);
            assertThat(presence.isFresh()).isFalse();
            presence.beat();
            assertThat(presence.isFresh()).isTrue();
            return null;
        });
    }

    @Test
    void anAgentWhoseNameWasTakenIsNeverFreshAgain() {
        BoxPresence old = begin("boot-1");
        begin("boot-2");
        assertThatThrownBy(old::beat)
                .isInstanceOf(SupersededException.class)
                .hasMessageContaining("epoch 2")
                .hasMessageContaining("epoch 1");
        assertThat(old.isFresh()).isFalse();
        assertThat(old.superseded()).contains(SupersededException.Reason.NEWER_AGENT);
        assertThat(stored().bootId()).isEqualTo("boot-2");
    }

    @Test
    void aStartThatAnotherOvertakesFailsAndMayAskAgain() {
        begin("boot-1");
        store.beforeNext(Call.PUT, key -> true, () -> begin("boot-2"));

        assertThatThrownBy(() -> begin("boot-3")).isInstanceOf(CasConflictException.class);

        assertThat(begin("boot-3").epoch()).isEqualTo(3);
    }

    @Test
    void anAgentInWhosePlaceSomethingElseIsStoredIsNeverFreshAgain() {
        BoxPresence presence = begin("boot-1");
        store.put(Heartbeat.key("r1", "box"), "{\"schema\":2}".getBytes(UTF_8), Precondition.NONE);

        assertThat(presence.isStored()).isFalse();
        assertThatThrownBy(presence::beat)
                .isInstanceOf(SupersededException.class)
                .hasMessageContaining("boxes/r1/box.json")
                .hasMessageContaining("schema");
        assertThat(presence.isFresh()).isFalse();
        assertThat(presence.superseded()).contains(SupersededException.Reason.NEWER_AGENT);
    }

    @Test
    void theFirstStartOfABoxIsNotHeldBack() {
        assertThat(begin("boot-1").heldBack()).isZero();
    }

    @Test
    void aStartIsHeldBackUntilTheEarlierOneIsNotFreshAnyMore() throws Exception {
        process.call(() -> {
            BoxPresence earlier = begin("boot-1");
            BoxPresence presence = begin("boot-2");
            while (!presence.heldBack().isZero()) {
                scheduler.sleep(Duration.ofSeconds(1));
            }
            assertThat(earlier.isFresh()).isFalse();
            assertThat(scheduler.nanoTime())
                    .isEqualTo(FleetTimes.DEFAULT.freshFor().toNanos());
            return null;
        });
    }

    @Test
    void aStartAfterOneThatHasEndedIsNotHeldBack() {
        begin("boot-1");

        assertThat(begin("boot-2", "boot-1").heldBack()).isZero();
        assertThat(begin("boot-3", "boot-1").heldBack()).isPositive();
    }

    @Test
    void aStartAfterOneThatWasFencedIsNotHeldBack() {
        begin("boot-1");
        String etag = store.get(Heartbeat.key("r1", "box")).orElseThrow().etag();
        Fence.close(store, "r1", "box", etag, "ann");

        assertThat(begin("boot-2").heldBack()).isZero();
    }

    @Test
    void aStartThatDoesNotKnowWhomItFollowsSinceItsAnswerWasLostIsHeldBack() {
        begin("boot-1");
        store.failNext(Call.PUT, Fault.AMBIGUOUS_DONE);
        assertThatThrownBy(() -> begin("boot-2")).isInstanceOf(AmbiguousWriteException.class);

        assertThat(begin("boot-2").heldBack()).isPositive();
    }

    private BoxPresence begin(String bootId, String ended) {
        return BoxPresence.begin(store, scheduler, FleetTimes.DEFAULT, "r1", "box", bootId, ended);
    }

    private BoxPresence begin(String bootId) {
        return BoxPresence.begin(store, scheduler, FleetTimes.DEFAULT, "r1", "box", bootId);
    }

    private Heartbeat stored() {
        return CarlosJson.read(
                "heartbeat",
                store.get(Heartbeat.key("r1", "box")).orElseThrow().value(),
                Heartbeat.class,
                Heartbeat.SCHEMA);
    }
}

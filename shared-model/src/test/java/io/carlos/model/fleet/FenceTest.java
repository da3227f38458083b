package io.carlos.model.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.time.OneProcess;
import io.carlos.store.FaultyObjectStore;
import io.carlos.store.FaultyObjectStore.Call;
import io.carlos.store.FaultyObjectStore.Fault;
import io.carlos.store.InMemoryObjectStore;
import io.carlos.store.StoreClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Fencing by somebody who looks once. */
class FenceTest {
    private static final FleetTimes TIMES = FleetTimes.DEFAULT;

    private final OneProcess process = new OneProcess();
    private final FaultyObjectStore store = new FaultyObjectStore(new InMemoryObjectStore(process.scheduler()::now));
    private final StoreClock clock = new StoreClock(store, () -> "token");

    @Test
    void aBoxThatIsNotSilentForLongEnoughIsNotFenced() {
        begin();
        pass(TIMES.lostAfter());

        assertThat(Fence.closeSilent(store, clock, "r1", "b1", "ann")).isEmpty();

        assertThat(stored().fencedBy()).isNull();
    }

    @Test
    void aBoxThatIsSilentForTooLongIsFencedAndTellsByWhom() {
        Heartbeat last = begin();
        pass(TIMES.lostAfter().plusSeconds(1));

        assertThat(Fence.closeSilent(store, clock, "r1", "b1", "ann")).contains(last);

        assertThat(stored().fencedBy()).isEqualTo("ann");
        assertThat(Fence.closeSilent(store, clock, "r1", "b1", "bob")).isPresent();
        assertThat(stored().fencedBy()).isEqualTo("ann");
    }

    @Test
    void aFenceWhoseAnswerWasLostHoldsWhenItIsFound() {
        begin();
        pass(TIMES.lostAfter().plusSeconds(1));
        store.failNext(Call.PUT, key -> key.contains("boxes/"), Fault.AMBIGUOUS_DONE);

        assertThat(Fence.closeSilent(store, clock, "r1", "b1", "ann")).isPresent();
    }

    @Test
    void aBoxThatNeverWasIsNotFenced() {
        assertThat(Fence.closeSilent(store, clock, "r1", "b9", "ann")).isEmpty();
    }

    private Heartbeat begin() {
        BoxPresence.begin(store, process.scheduler(), TIMES, "r1", "b1", "boot");
        return stored();
    }

    private Heartbeat stored() {
        return Heartbeat.read(store, "r1", "b1").orElseThrow().heartbeat();
    }

    private void pass(Duration time) {
        process.after(time, () -> {});
        process.run(time);
    }
}

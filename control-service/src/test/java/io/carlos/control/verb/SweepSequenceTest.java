package io.carlos.control.verb;

import static io.carlos.control.verb.VerbBench.CMD;
import static io.carlos.control.verb.VerbBench.INVOCATION;
import static io.carlos.control.verb.VerbBench.RUN;
import static io.carlos.control.verb.VerbBench.SEED;
import static io.carlos.control.verb.VerbBench.STOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.control.testing.Await;
import io.carlos.model.control.SweepAnswer;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which calls of systemctl a sweep makes: list-units; list-jobs; the stop sequence of each that is not inactive or has a job. */
@Timeout(60)
class SweepSequenceTest {
    private static final String LIST_UNITS = "list-units --all --plain --no-legend --no-pager carlos-instance@*.service"
            + " carlos-instance-seed@*.service carlos-instance-sidecar@*.service carlos-instance-cmd@*.service";
    private static final String LIST_JOBS = "list-jobs --plain --no-legend --no-pager";

    private VerbBench bench;

    @BeforeEach
    void open(@TempDir Path directory) throws IOException {
        bench = new VerbBench(directory);
    }

    @AfterEach
    void close() throws IOException {
        bench.close();
    }

    private static <T> FutureTask<T> inBackground(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }

    @Test
    void sweepThatComesDuringAnotherWaitsForItAndStopsNothingTwice() throws Exception {
        bench.systemd.loaded(RUN, "active").shows(RUN, VerbBench.inactive());
        CountDownLatch stopped = new CountDownLatch(1);
        String stop = STOP + RUN;
        bench.systemd.when(stop, () -> {
            stopped.await();
            bench.systemd.loaded(RUN, "inactive");
        });

        FutureTask<SweepAnswer> first = inBackground(() -> bench.sweep.sweep());
        Await.until("the first stops", () -> bench.systemd.count(stop) == 1);
        FutureTask<SweepAnswer> second = inBackground(() -> bench.sweep.sweep());
        Await.until("the second waits", () -> bench.sweep.sweepsWaiting() == 1);
        stopped.countDown();

        assertThat(first.get().units()).containsExactly(RUN.value());
        assertThat(second.get().units()).isEmpty();
        assertThat(bench.systemd.count(stop)).isOne();
    }

    @Test
    void sweepStopsWhatIsNotInactiveOrHasAJobAndLeavesTheRest() throws Exception {
        UnitName idle = UnitName.of(Role.RUN, Host.of("idle.example.com"));
        UnitName queued = UnitName.of(Role.SEED, Host.of("queued.example.com"));
        UnitName foreign = new UnitName(Role.RUN, "started-by-hand");
        bench.systemd
                .loaded(RUN, "active")
                .loaded(CMD, "failed")
                .loaded(idle, "inactive")
                .loaded(queued, "inactive")
                .loaded(foreign, "activating")
                .job(queued);
        bench.systemd.shows(foreign, VerbBench.state(INVOCATION, "active", "running"));

        assertThat(bench.sweep.sweep().units())
                .containsExactly(CMD.value(), queued.value(), RUN.value(), foreign.value());

        assertThat(bench.systemd.calls()).startsWith(LIST_UNITS, LIST_JOBS);
        assertThat(bench.systemd.calls().stream().filter(call -> call.startsWith(STOP)))
                .containsExactlyInAnyOrder(STOP + CMD, STOP + queued, STOP + RUN, STOP + foreign);
    }

    @Test
    void aUnitThatWillNotStopDoesNotKeepTheRestFromBeingStopped() {
        bench.systemd.loaded(RUN, "active").loaded(CMD, "active").loaded(SEED, "active");
        bench.systemd.refuse(STOP + CMD, "Connection timed out");

        assertThatThrownBy(() -> bench.sweep.sweep())
                .isInstanceOfSatisfying(
                        UnsweptException.class, e -> assertThat(e.units()).containsExactly(CMD.value()))
                .hasMessageContaining("1 of 3")
                .hasMessageContaining(CMD.value())
                .hasMessageNotContaining(RUN.value());
        assertThat(bench.systemd.calls()).contains(STOP + RUN, STOP + SEED);
    }

    @Test
    void aSweepStopsOnlySoManyUnitsAtATime() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger stopping = new AtomicInteger();
        int units = SweepVerb.AT_A_TIME + 5;
        for (int i = 0; i < units; i++) {
            UnitName unit = UnitName.of(Role.RUN, Host.of("host" + i + ".example.com"));
            bench.systemd.loaded(unit, "active");
            bench.systemd.when(STOP + unit, () -> {
                stopping.incrementAndGet();
                release.await();
            });
        }
        FutureTask<SweepAnswer> sweep = inBackground(() -> bench.sweep.sweep());

        Await.until("the others wait", () -> bench.sweep.waiting() == 5 && stopping.get() == SweepVerb.AT_A_TIME);

        release.countDown();
        assertThat(sweep.get().units()).hasSize(units);
        assertThat(stopping).hasValue(units);
    }
}

package io.carlos.agent.service.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.ManualClock;
import io.carlos.agent.PassJournal;
import io.carlos.agent.control.ControlChannel;
import io.carlos.agent.control.ControlException;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.instance.HeldBack;
import io.carlos.agent.instance.PlayedBox;
import io.carlos.agent.reconcile.PassReport;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Each check, as it holds and as it does not. */
class HealthTest {
    private final ManualClock clock = new ManualClock();
    private final PassJournal journal = new PassJournal(clock);
    private final PlayedBox box = new PlayedBox(BoxPaths.DEFAULT);

    @Test
    void passesAreUpUntilTheirDriverIsStuck() {
        PassesHealth health = new PassesHealth(journal);
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        clock.pass(PassJournal.STUCK_AFTER);

        assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void theStoreIsUpUntilThereWasNoCompletePassForLongAndTellsTheFailure() {
        StoreHealth health = new StoreHealth(journal, Duration.ofMinutes(3));
        journal.passed(new PassReport(0, 0, 0, 0, Duration.ZERO));
        journal.failed(new IllegalStateException("no way to the bucket"));
        clock.pass(Duration.ofMinutes(3));
        assertThat(health.health().getStatus()).isEqualTo(Status.UP);

        clock.pass(Duration.ofNanos(1));
        Health after = health.health();

        assertThat(after.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(after.getDetails())
                .containsEntry("failure", "no way to the bucket")
                .containsEntry("last_complete_pass", ManualClock.START.toString());
    }

    @Test
    void theFleetIsOutOfServiceOnceTheBoxMayNotWrite() {
        assertThat(new FleetHealth(Fleet.NONE).health().getStatus()).isEqualTo(Status.UP);
        assertThat(new FleetHealth(() -> false).health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
    }

    @Test
    void aSweepWithoutAnAnswerHoldsBackTheBoxAndAHostThatDoesNotStopItself() {
        List<Host> hosts = List.of(Host.of("a.example.com"));
        Health box = new SweepHealth(() -> new HeldBack(true, List.of())).health();
        Health host = new SweepHealth(() -> new HeldBack(false, hosts)).health();
        Health nobody = new SweepHealth(() -> new HeldBack(false, List.of())).health();

        assertThat(box.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(host.getStatus()).isEqualTo(Status.UP);
        assertThat(host.getDetails()).containsEntry("held_back", List.of("a.example.com"));
        assertThat(nobody.getStatus()).isEqualTo(Status.UP);
        assertThat(nobody.getDetails()).isEmpty();
    }

    @Test
    void aControlServiceThatAnswersNotReadyAnswers() {
        box.probeFinds(ProbeReport.notReady("it has not run"));

        assertThat(new ControlHealth(new SharedProbe(box.channel())).health().getStatus())
                .isEqualTo(Status.UP);
        assertThat(new ProbeHealth(new SharedProbe(box.channel())).health().getDetails())
                .containsEntry("report", "fail: it has not run");
    }

    @Test
    void aControlServiceThatHangsIsAskedOnceAndNotWaitedFor() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        SharedProbe probe = new SharedProbe(hanging(answers, asked), Duration.ofMillis(20));

        Health control = new ControlHealth(probe).health();
        Health probed = new ProbeHealth(probe).health();
        answers.countDown();

        assertThat(control.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(probed.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(control.getDetails().get("failure")).asString().contains("no answer within 20 ms");
        assertThat(asked).hasValueLessThan(2);
    }

    private static ControlChannel hanging(CountDownLatch answers, AtomicInteger asked) {
        return (ControlChannel) Proxy.newProxyInstance(
                ControlChannel.class.getClassLoader(), new Class<?>[] {ControlChannel.class}, (proxy, method, args) -> {
                    asked.incrementAndGet();
                    answers.await();
                    throw new ControlException(Outcome.MAY_RUN, "late");
                });
    }

    @Test
    void aControlServiceThatDoesNotAnswerIsNamedByBothChecks() {
        box.failNext("probe", Outcome.MAY_RUN);
        Health control = new ControlHealth(new SharedProbe(box.channel())).health();
        box.failNext("probe", Outcome.MAY_RUN);
        Health probe = new ProbeHealth(new SharedProbe(box.channel())).health();

        assertThat(control.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(control.getDetails().get("failure")).asString().contains("carlos-instance-control.service");
        assertThat(probe.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(probe.getDetails().get("failure")).asString().contains("nobody could be asked");
    }
}

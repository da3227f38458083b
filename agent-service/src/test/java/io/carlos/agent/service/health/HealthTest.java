package io.carlos.agent.service.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.ManualClock;
import io.carlos.agent.PassJournal;
import io.carlos.agent.control.ControlException.Outcome;
import io.carlos.agent.fleet.Fleet;
import io.carlos.agent.instance.PlayedBox;
import io.carlos.agent.reconcile.PassReport;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ProbeReport;
import java.time.Duration;
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
    void aControlServiceThatAnswersNotReadyAnswers() {
        box.probeFinds(ProbeReport.notReady("it has not run"));

        assertThat(new ControlHealth(box.channel()).health().getStatus()).isEqualTo(Status.UP);
        assertThat(new ProbeHealth(box.channel()).health().getDetails())
                .containsEntry("report", "fail: it has not run");
    }

    @Test
    void aControlServiceThatDoesNotAnswerIsNamedByBothChecks() {
        box.failNext("probe", Outcome.MAY_RUN);
        Health control = new ControlHealth(box.channel()).health();
        box.failNext("probe", Outcome.MAY_RUN);
        Health probe = new ProbeHealth(box.channel()).health();

        assertThat(control.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(control.getDetails().get("failure")).asString().contains("carlos-instance-control.service");
        assertThat(probe.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        assertThat(probe.getDetails().get("failure")).asString().contains("nobody could be asked");
    }
}

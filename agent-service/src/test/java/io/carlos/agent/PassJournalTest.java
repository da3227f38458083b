package io.carlos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.reconcile.PassReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PassJournalTest {
    private static final PassReport REPORT = new PassReport(3, 2, 1, 0, Duration.ofMillis(5));

    private final ManualClock clock = new ManualClock();
    private final PassJournal journal = new PassJournal(clock);

    @Test
    void aDriverThatLooksIsNotStuckHoweverLongThereIsNoPass() {
        for (int i = 0; i < 10; i++) {
            clock.pass(Duration.ofMinutes(4));
            journal.looking();
        }

        assertThat(journal.isStuck()).isFalse();
        assertThat(journal.sinceComplete()).isEqualTo(Duration.ofMinutes(40));
    }

    @Test
    void aDriverWithoutAnySignIsStuckAfterItsTime() {
        journal.looking();
        clock.pass(PassJournal.STUCK_AFTER.minusNanos(1));
        assertThat(journal.isStuck()).isFalse();

        clock.pass(Duration.ofNanos(1));

        assertThat(journal.isStuck()).isTrue();
    }

    @Test
    void aLongPassMakesProgressByEachAnswerOfTheStore() {
        journal.looking();
        clock.pass(Duration.ofMinutes(4));
        journal.storeAnswered();
        clock.pass(Duration.ofMinutes(4));

        assertThat(journal.isStuck()).isFalse();
    }

    @Test
    void anAnswerOfTheStoreToAnotherThreadIsNoSignOfTheDriver() throws Exception {
        journal.looking();
        clock.pass(Duration.ofMinutes(6));

        Thread.ofVirtual().start(journal::storeAnswered).join();

        assertThat(journal.isStuck()).isTrue();
    }

    @Test
    void aPassThatFailsKeepsWhatTheLastCompleteOneFound() {
        journal.passed(REPORT);
        clock.pass(Duration.ofMinutes(1));
        journal.failed(new IllegalStateException("no way"));

        assertThat(journal.known()).isEqualTo(new PassJournal.Known(ManualClock.START, REPORT, "no way"));
        assertThat(journal.sinceComplete()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void aCompletePassForgetsTheFailureBeforeIt() {
        journal.failed(new IllegalStateException("no way"));
        journal.passed(REPORT);

        assertThat(journal.known().failure()).isNull();
    }
}

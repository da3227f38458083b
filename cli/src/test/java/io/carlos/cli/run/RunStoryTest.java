package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.records.InstanceRecord;
import io.carlos.model.records.Records;
import io.carlos.model.runs.ActiveRun;
import io.carlos.model.runs.RunHistory;
import io.carlos.model.runs.RunHistory.StoredOutput;
import io.carlos.model.runs.RunId;
import io.carlos.model.runs.RunRequest;
import io.carlos.model.runs.RunResult;
import io.carlos.model.runs.RunTransitions;
import io.carlos.model.runs.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunStoryTest {
    private static final Instant ASKED = Instant.parse("2026-01-02T03:04:05Z");
    private static final RunRequest REQUEST = new RunRequest(
            1,
            RunId.of("run_" + "a".repeat(26)),
            Account.of("acme"),
            App.of("web"),
            Host.of("a.example.com"),
            Incarnation.of(Account.of("acme"), App.of("web"), Host.of("a.example.com"), ASKED),
            List.of("import", "rows.csv"),
            600,
            ASKED,
            "ann@desk",
            List.of());
    private static final StoredOutput NONE = new StoredOutput(0, 0, 0, null, null);

    @Test
    void a_finished_run_is_told_from_the_asking_to_the_exit() {
        RunResult result = new RunResult(
                1,
                3,
                "",
                ASKED.plusMillis(700),
                ASKED.plusSeconds(65),
                2,
                false,
                false,
                false,
                "",
                "",
                "no isolation",
                "box-1");
        StoredOutput output = new StoredOutput(2, 10, 5, ASKED.plusSeconds(2), ASKED.plusSeconds(5));

        assertThat(RunStory.lines(new RunHistory(REQUEST, null, result, output)))
                .containsExactly(
                        "run        run_aaaaaaaaaaaaaaaaaaaaaaaaaa on a.example.com (account acme, app web)",
                        "command    import rows.csv",
                        "asked for  2026-01-02T03:04:05Z by ann@desk, timeout 10 min, 0 input files",
                        "started    2026-01-02T03:04:05.700Z on box box-1, 0.7 s after it was asked for",
                        "output     2 chunks, 10 bytes on stdout and 5 bytes on stderr, stored within 3.0 s",
                        "ended      2026-01-02T03:05:10Z, after 1 min 4 s",
                        "why        the command ended by itself",
                        "exit       3",
                        "detail     no isolation");
    }

    @Test
    void a_picked_run_is_told_with_its_box_and_how_long_it_had_waited() {
        ActiveRun queued = ActiveRun.queued(REQUEST.id(), "ann", ASKED.plusSeconds(60));
        InstanceRecord record = Records.of("a.example.com").withBox("box-1").withActiveRun(queued);
        Transition picked = RunTransitions.pick(
                record, REQUEST.id(), "box-1", "boot-7", "token", ASKED.plusMillis(1500), ASKED.plusSeconds(900));
        ActiveRun run = ((Transition.Changed) picked).record().activeRun();

        assertThat(RunStory.lines(new RunHistory(REQUEST, run, null, NONE)))
                .contains("picked     by box box-1, 1.5 s after it was asked for, boot boot-7, attempt token");
    }

    @Test
    void a_queued_run_says_until_when_it_may_be_picked() {
        ActiveRun queued = ActiveRun.queued(REQUEST.id(), "ann", ASKED.plusSeconds(60));

        RunHistory history = new RunHistory(REQUEST, queued, null, NONE);

        assertThat(RunStory.state(history)).isEqualTo("queued");
        assertThat(RunStory.lines(history)).anyMatch(line -> line.contains("may be picked until 2026-01-02T03:05:05Z"));
    }

    @Test
    void an_interrupted_run_says_why() {
        RunResult result = RunResult.interrupted("the box went away", "", 0, false, "box-1", ASKED.plusSeconds(9));

        RunHistory history = new RunHistory(REQUEST, null, result, NONE);

        assertThat(RunStory.state(history)).isEqualTo("interrupted");
        assertThat(RunStory.exit(history)).isEmpty();
        assertThat(RunStory.lines(history)).contains("why        interrupted: the box went away");
    }

    @Test
    void a_run_that_the_record_no_longer_names_and_that_has_no_result_is_unknown() {
        assertThat(RunStory.state(new RunHistory(REQUEST, null, null, NONE))).isEqualTo("unknown");
    }

    @Test
    void durations_are_short_words() {
        assertThat(RunStory.text(Duration.ofMillis(1))).isEqualTo("0.001 s");
        assertThat(RunStory.text(Duration.ofMinutes(10))).isEqualTo("10 min");
        assertThat(RunStory.text(Duration.ofSeconds(3_725))).isEqualTo("1 h 2 min 5 s");
    }
}

package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.ActiveRun.Outcome;
import io.carlos.model.runs.FollowEnd;
import io.carlos.model.runs.RunResult;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RunEndingsTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void an_exit_status_is_the_exit_code_and_nothing_is_said() {
        assertThat(of(ran(3, "", false, false, ""))).isEqualTo(new RunEndings(3, java.util.List.of()));
    }

    @Test
    void a_signal_is_128_and_its_number() {
        assertThat(of(ran(0, "9", false, false, "")).exitCode()).isEqualTo(137);
    }

    @Test
    void a_timeout_keeps_the_commands_own_exit_and_is_said() {
        RunEndings endings = of(ran(0, "15", false, true, ""));

        assertThat(endings.exitCode()).isEqualTo(143);
        assertThat(endings.remarks()).containsExactly("the command was stopped: its timeout ran out");
    }

    @Test
    void a_cancelled_commands_own_exit_is_kept_and_the_cancel_is_said() {
        RunEndings endings = of(ran(9, "", true, false, ""));

        assertThat(endings.exitCode()).isEqualTo(9);
        assertThat(endings.remarks()).containsExactly("the command was stopped: the run was cancelled");
    }

    @Test
    void a_note_of_the_backend_is_passed_on() {
        assertThat(of(ran(0, "", false, false, "a note")).remarks()).containsExactly("a note");
    }

    @Test
    void that_there_was_no_isolation_is_not_said_at_every_end() {
        assertThat(of(ran(0, "", false, false, "no isolation")).remarks()).isEmpty();
        assertThat(of(ran(0, "", false, false, "no isolation; a note")).remarks())
                .containsExactly("a note");
    }

    @Test
    void refused_is_76_with_the_rule_and_the_detail() {
        RunResult refused =
                new RunResult(1, 0, "", null, NOW, 0, false, false, false, "", "import", "it is not committed", "box");

        assertThat(of(refused).exitCode()).isEqualTo(76);
        assertThat(of(refused).remarks()).containsExactly("the run was refused (import): it is not committed");
    }

    @Test
    void interrupted_is_76_with_the_reason() {
        RunResult interrupted = RunResult.interrupted("the box went away", "no output is stored", 0, false, "box", NOW);

        assertThat(of(interrupted).exitCode()).isEqualTo(76);
        assertThat(of(interrupted).remarks())
                .containsExactly("the run was interrupted: the box went away; no output is stored");
    }

    @Test
    void expired_is_75_with_or_without_a_stored_result() {
        assertThat(of(RunResult.expired(NOW)).exitCode()).isEqualTo(75);
        assertThat(RunEndings.of(new FollowEnd.OverWhileQueued(Outcome.EXPIRED)).exitCode())
                .isEqualTo(75);
    }

    @Test
    void cancelled_while_queued_is_130_with_or_without_a_stored_result() {
        assertThat(of(RunResult.cancelledWhileQueued(NOW)).exitCode()).isEqualTo(130);
        assertThat(RunEndings.of(new FollowEnd.OverWhileQueued(Outcome.CANCELLED))
                        .exitCode())
                .isEqualTo(130);
    }

    @Test
    void unknown_is_76() {
        assertThat(RunEndings.of(new FollowEnd.Unknown("its record is gone")).exitCode())
                .isEqualTo(76);
    }

    @Test
    void incomplete_is_76_and_names_the_missing_chunk() {
        RunResult result = new RunResult(1, 0, "", NOW, NOW, 5, false, false, false, "", "", "", "box");

        RunEndings endings = RunEndings.of(new FollowEnd.Incomplete(result, 2));

        assertThat(endings.exitCode()).isEqualTo(76);
        assertThat(endings.remarks()).singleElement().asString().contains("incomplete", "chunk 2 of 5");
    }

    private static RunEndings of(RunResult result) {
        return RunEndings.of(new FollowEnd.Ended(result));
    }

    private static RunResult ran(int exit, String signal, boolean cancelled, boolean timedOut, String detail) {
        return new RunResult(1, exit, signal, NOW, NOW, 0, false, cancelled, timedOut, "", "", detail, "box");
    }
}

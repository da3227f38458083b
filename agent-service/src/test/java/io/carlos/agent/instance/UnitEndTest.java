package io.carlos.agent.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.StatusFile;
import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.names.InvocationId;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitEndTest {
    private static final InvocationId INVOCATION = InvocationId.of("0123456789abcdef0123456789abcdef");

    private static UnitEnd end(Cause cause, int status) {
        return new UnitEnd(Optional.of(new StatusFile(INVOCATION, cause, status, Instant.EPOCH)), Optional.empty());
    }

    private static ExitRecord exit(String result, String code, String status) {
        return new ExitRecord(INVOCATION, result, code, status, Instant.EPOCH);
    }

    @ParameterizedTest
    @CsvSource({
        "EXITED, 0, exited with 0",
        "EXITED, 3, exited with 3",
        "KILLED, 9, was killed by signal 9 (SIGKILL)",
        "KILLED, 11, was killed by signal 11 (SIGSEGV)",
        "KILLED, 40, was killed by signal 40",
        "REFUSED, 126, is not executable",
        "REFUSED, 127, is not there",
        "REFUSED, 125, 'was refused by the trampoline, whose log line says why'",
        "RUNNING, 0, was killed from outside"
    })
    void a_status_file_is_worded(Cause cause, int status, String words) {
        assertThat(end(cause, status).words()).isEqualTo(words);
    }

    @Test
    void no_file_is_no_start() {
        assertThat(new UnitEnd(Optional.empty(), Optional.empty()).words()).isEqualTo("was never started");
    }

    @Test
    void what_systemd_saw_is_added_to_what_nobody_else_saw() {
        assertThat(new UnitEnd(Optional.empty(), Optional.of(exit("exit-code", "exited", "203"))).words())
                .isEqualTo("was never started (systemd: exit-code exited 203)");
    }

    @Test
    void out_of_memory_comes_before_the_status_it_left() {
        UnitEnd end = new UnitEnd(end(Cause.KILLED, 9).status(), Optional.of(exit("oom-kill", "killed", "KILL")));

        assertThat(end.words()).isEqualTo("was ended for it was out of memory");
    }

    @ParameterizedTest
    @CsvSource({
        "EXITED, 0, success, true",
        "EXITED, 0, '', true",
        "EXITED, 0, timeout, false",
        "EXITED, 0, oom-kill, false",
        "EXITED, 1, success, false",
        "KILLED, 15, success, false",
        "RUNNING, 0, success, false",
        "REFUSED, 127, success, false"
    })
    void a_seed_counts_by_its_own_word_unless_systemd_ended_it(Cause cause, int status, String result, boolean seeded) {
        assertThat(end(cause, status).isSeeded(result)).isEqualTo(seeded);
    }

    @Test
    void a_seed_that_wrote_nothing_does_not_count() {
        assertThat(new UnitEnd(Optional.empty(), Optional.empty()).isSeeded("success"))
                .isFalse();
    }
}

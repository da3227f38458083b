package io.carlos.model.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.testing.Mutations;
import io.carlos.model.testing.Seeded;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusFileTest {
    private static final InvocationId INVOCATION = InvocationId.of("0123456789abcdef0123456789abcdef");
    private static final Instant AT = Instant.parse("2026-07-01T09:30:00.250Z");
    private static final String JSON =
            "{\"invocation\":\"0123456789abcdef0123456789abcdef\",\"cause\":\"exited\",\"status\":3,"
                    + "\"at\":\"2026-07-01T09:30:00.250Z\"}";

    @Test
    void anInvocationOfARoleHasItsFile() {
        assertThat(StatusFile.fileName(Role.CMD, INVOCATION))
                .isEqualTo("status.cmd.0123456789abcdef0123456789abcdef.json");
    }

    @ParameterizedTest
    @CsvSource({
        "running, RUNNING, 0",
        "exited, EXITED, 0",
        "exited, EXITED, 255",
        "killed, KILLED, 15",
        "refused, REFUSED, 125"
    })
    void aFileIsReadAndWritten(String wireName, Cause cause, int status) {
        String json = JSON.replace("exited", wireName).replace(":3,", ":" + status + ",");
        StatusFile file = new StatusFile(INVOCATION, cause, status, AT);
        assertThat(read(json)).isEqualTo(file);
        assertThat(file.toJson()).isEqualTo(json);
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(read("{\"more\":[1]," + JSON.substring(1))).isEqualTo(read(JSON));
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, 1", "EXITED, -1", "EXITED, 256", "KILLED, 0", "KILLED, 65", "REFUSED, -1", "REFUSED, 256"})
    void aStatusThatCannotGoWithTheCauseIsRefused(Cause cause, int status) {
        assertThatThrownBy(() -> new StatusFile(INVOCATION, cause, status, AT))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessage("status file: the status " + status + " cannot go with the cause " + cause.wireName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"invocation", "cause", "status", "at"})
    void aMissingMemberIsRefused(String member) {
        assertThatThrownBy(() -> read(JSON.replace("\"" + member + "\"", "\"other\"")))
                .hasMessage("status file: the member " + member + " is missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exited EXITED",
                "exited done",
                "\"exited\" null",
                "3 \"3\"",
                "3 3.0",
                "3 null",
                "0123456789abcdef0123456789abcdef 0123456789ABCDEF0123456789ABCDEF",
                "2026-07-01T09:30:00.250Z yesterday",
                "2026-07-01T09:30:00.250Z 2026-07-01T09:30:00",
                "\"2026-07-01T09:30:00.250Z\" 1782898200",
                "} }{}",
                "} ,\"status\":3}",
                "exited ex\\u0000ited"
            })
    void anythingElseIsRefused(String change) {
        String[] fromAndTo = change.split(" ", 2);
        String changed = JSON.replace(fromAndTo[0], fromAndTo[1]);
        assertThat(changed).isNotEqualTo(JSON);
        assertThatThrownBy(() -> read(changed))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageStartingWith("status file: ");
    }

    @Test
    void aFileOver4KiBIsRefused() {
        assertThatThrownBy(() -> read(JSON + " ".repeat(4096))).hasMessageContaining("over the 4096 allowed");
    }

    @Test
    void aBrokenFileIsRefusedOrWrittenAndReadBack() {
        Seeded.check(50_000, random -> {
            try {
                StatusFile file = StatusFile.read(Mutations.mutate(random, JSON));
                assertThat(read(file.toJson())).isEqualTo(file);
            } catch (InvalidDocumentException e) {
                assertThat(e).hasMessageStartingWith("status file: ");
            }
        });
    }

    private static StatusFile read(String json) {
        return StatusFile.read(json.getBytes(StandardCharsets.UTF_8));
    }
}

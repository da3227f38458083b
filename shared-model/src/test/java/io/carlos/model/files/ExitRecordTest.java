package io.carlos.model.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.testing.Mutations;
import io.carlos.model.testing.Seeded;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExitRecordTest {
    private static final InvocationId INVOCATION = InvocationId.of("0123456789abcdef0123456789abcdef");
    private static final Instant AT = Instant.parse("2026-07-01T09:30:00Z");
    private static final ExitRecord RECORD = new ExitRecord(INVOCATION, "exit-code", "exited", "3", AT);
    private static final String JSON = "{\"invocation\":\"0123456789abcdef0123456789abcdef\",\"result\":\"exit-code\","
            + "\"code\":\"exited\",\"status\":\"3\",\"at\":\"2026-07-01T09:30:00Z\"}";

    @Test
    void anInvocationOfARoleHasItsFile() {
        assertThat(ExitRecord.fileName(Role.RUN, INVOCATION))
                .isEqualTo("exit.run.0123456789abcdef0123456789abcdef.json");
    }

    @Test
    void aRecordIsReadAndWritten() {
        assertThat(read(JSON)).isEqualTo(RECORD);
        assertThat(RECORD.toJson()).isEqualTo(JSON);
    }

    @Test
    void whatSystemdDidNotSayIsEmpty() {
        ExitRecord record = new ExitRecord(INVOCATION, "signal", "", "", AT);
        assertThat(read(record.toJson())).isEqualTo(record);
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(read("{\"more\":{}," + JSON.substring(1))).isEqualTo(RECORD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"invocation", "result", "code", "status", "at"})
    void aMissingMemberIsRefused(String member) {
        assertThatThrownBy(() -> read(JSON.replace("\"" + member + "\"", "\"other\"")))
                .hasMessage("exit record: the member " + member + " is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"two words", "a\\u001b[2J", "é", "a\\nb"})
    void whatIsNoPlainWordIsRefused(String word) {
        assertThatThrownBy(() -> read(JSON.replace("exit-code", word)))
                .hasMessageStartingWith("exit record: result is");
        assertThatThrownBy(() -> read(JSON.replace("exited", word))).hasMessageStartingWith("exit record: code is");
        assertThatThrownBy(() -> read(JSON.replace("\"3\"", "\"" + word + "\"")))
                .hasMessageStartingWith("exit record: status is");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "}", ",", "{}"})
    void textAfterTheEndIsRefused(String rest) {
        assertThatThrownBy(() -> read(JSON + rest)).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void aLongWordIsRefused() {
        String longest = "!~" + "x".repeat(62);
        assertThat(read(JSON.replace("exited", longest)).code()).isEqualTo(longest);
        assertThatThrownBy(() -> read(JSON.replace("exited", "x".repeat(65))))
                .hasMessageContaining("at most 64 characters");
    }

    @Test
    void aFileOver4KiBIsRefused() {
        assertThatThrownBy(() -> read(JSON + " ".repeat(4096))).hasMessageContaining("over the 4096 allowed");
    }

    @Test
    void aBrokenRecordIsRefusedOrWrittenAndReadBack() {
        Seeded.check(50_000, random -> {
            try {
                ExitRecord record = ExitRecord.read(Mutations.mutate(random, JSON));
                assertThat(read(record.toJson())).isEqualTo(record);
            } catch (InvalidDocumentException e) {
                assertThat(e).hasMessageStartingWith("exit record: ");
            }
        });
    }

    private static ExitRecord read(String json) {
        return ExitRecord.read(json.getBytes(StandardCharsets.UTF_8));
    }
}

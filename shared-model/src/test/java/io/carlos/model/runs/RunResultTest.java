package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.UnsupportedSchemaException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunResultTest {
    private static final Instant STARTED = Instant.parse("2026-01-02T03:04:05.25Z");
    private static final Instant ENDED = Instant.parse("2026-01-02T03:04:06Z");

    private static final RunResult RAN = new RunResult(
            RunResult.SCHEMA, 3, "", STARTED, ENDED, 17, true, false, true, "", "", "it was slow", "box-1");
    private static final String RAN_JSON = """
            {"schema":1,"exit":3,"signal":"","started":"2026-01-02T03:04:05.250Z","ended":"2026-01-02T03:04:06Z",\
            "last_seq":17,"truncated":true,"cancelled":false,"timed_out":true,"interrupted":"","refused":"",\
            "detail":"it was slow","box":"box-1"}""";

    @Test
    void a_result_is_stored_with_exactly_these_members() {
        assertThat(json(RAN)).isEqualTo(RAN_JSON);
    }

    @Test
    void a_stored_result_is_read_as_it_was() {
        assertThat(read(RAN_JSON)).isEqualTo(RAN);
    }

    @Test
    void a_run_cancelled_while_queued_never_started_and_says_so() {
        assertThat(json(RunResult.cancelledWhileQueued(ENDED))).isEqualTo("""
                {"schema":1,"exit":0,"signal":"","started":null,"ended":"2026-01-02T03:04:06Z","last_seq":0,\
                "truncated":false,"cancelled":true,"timed_out":false,"interrupted":"","refused":"",\
                "detail":"cancelled before a box had picked it","box":""}""");
    }

    @Test
    void an_expired_run_is_refused_for_that() {
        RunResult expired = RunResult.expired(ENDED);

        assertThat(expired.refused()).isEqualTo("expired");
        assertThat(expired.cancelled()).isFalse();
        assertThat(expired.started()).isNull();
    }

    @Test
    void an_interrupted_run_names_why_its_last_chunk_and_its_box() {
        RunResult result = RunResult.interrupted("the box went away", "detail", 9, true, "box-1", ENDED);

        assertThat(result.interrupted()).isEqualTo("the box went away");
        assertThat(result.lastSeq()).isEqualTo(9);
        assertThat(result.cancelled()).isTrue();
        assertThat(result.box()).isEqualTo("box-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit", "signal", "ended", "last_seq", "truncated", "interrupted", "refused", "box"})
    void a_result_without_a_member_is_refused(String member) {
        String renamed = RAN_JSON.replace("\"" + member + "\"", "\"x\"");

        assertThatThrownBy(() -> read(renamed)).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void another_schema_is_refused() {
        assertThatThrownBy(() -> read(RAN_JSON.replace("\"schema\":1", "\"schema\":2")))
                .isInstanceOf(UnsupportedSchemaException.class);
    }

    private static String json(RunResult result) {
        return new String(CarlosJson.write(result), StandardCharsets.UTF_8);
    }

    private static RunResult read(String json) {
        return CarlosJson.read("result", json.getBytes(StandardCharsets.UTF_8), RunResult.class, RunResult.SCHEMA);
    }
}

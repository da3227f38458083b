package io.carlos.model.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.json.UnsupportedSchemaException;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.Incarnation;
import io.carlos.model.names.InputFileName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunRequestTest {
    private static final String HASH = "0123456789abcdef".repeat(4);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String JSON = """
            {"schema":1,"id":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa","account":"acme","app":"web","host":"a.example.com",\
            "incarnation":"%s","argv":["import","rows.csv"],"timeout_s":3600,"requested_at":"2026-01-02T03:04:05Z",\
            "requested_by":"ann","files":[{"name":"rows.csv","size":12,"sha256":"%s"}]}""".formatted(HASH, HASH);

    @Test
    void a_request_is_stored_with_exactly_these_members() {
        RunRequest request = request(List.of("import", "rows.csv"), HOUR, List.of(file("rows.csv", 12)));

        assertThat(CarlosJson.write(request)).asString(StandardCharsets.UTF_8).isEqualTo(JSON);
    }

    @Test
    void a_stored_request_is_read_as_it_was() {
        assertThat(read(JSON)).isEqualTo(request(List.of("import", "rows.csv"), HOUR, List.of(file("rows.csv", 12))));
    }

    @Test
    void a_member_that_this_version_does_not_know_is_ignored() {
        assertThat(read(JSON.replaceFirst("\\{", "{\"priority\":7,"))).isEqualTo(read(JSON));
    }

    @Test
    void another_schema_is_refused() {
        assertThatThrownBy(() -> read(JSON.replace("\"schema\":1", "\"schema\":2")))
                .isInstanceOf(UnsupportedSchemaException.class);
    }

    @Test
    void a_stored_request_past_a_limit_is_refused() {
        assertThatThrownBy(() -> read(JSON.replace("3600", "86401"))).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void no_argument_is_refused() {
        assertThatThrownBy(() -> withArguments(List.of()))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("--");
    }

    @Test
    void as_many_arguments_as_may_be_are_taken() {
        assertThatCode(() -> withArguments(Collections.nCopies(256, "a"))).doesNotThrowAnyException();
    }

    @Test
    void one_argument_more_is_refused() {
        assertThatThrownBy(() -> withArguments(Collections.nCopies(257, "a")))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("257")
                .hasMessageContaining("256");
    }

    @Test
    void arguments_of_128_KiB_in_all_are_taken() {
        assertThatCode(() -> withArguments(List.of("a".repeat(65536), "é".repeat(32768))))
                .doesNotThrowAnyException();
    }

    @Test
    void arguments_of_a_byte_more_are_refused() {
        assertThatThrownBy(() -> withArguments(List.of("a".repeat(65537), "é".repeat(32768))))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("131073");
    }

    @Test
    void an_argument_with_a_NUL_is_refused() {
        assertThatThrownBy(() -> withArguments(List.of("a", "b\0c")))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("NUL");
    }

    @Test
    void an_argument_that_has_no_UTF_8_is_refused() {
        assertThatThrownBy(() -> withArguments(List.of("a", "b\ud800")))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("UTF-8");
    }

    @Test
    void an_argument_may_be_empty_or_hold_anything_else() {
        List<String> argv = List.of("a", "", "-x", "\n\u001b", "é\ud83d\ude00", "\"\\");
        RunRequest request = withArguments(argv);

        assertThat(CarlosJson.read("request", CarlosJson.write(request), RunRequest.class)
                        .argv())
                .isEqualTo(argv);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 86_400})
    void a_timeout_of_a_second_to_a_day_is_taken(long seconds) {
        assertThat(withTimeout(seconds).timeout()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 86_401, Long.MAX_VALUE})
    void another_timeout_is_refused(long seconds) {
        assertThatThrownBy(() -> withTimeout(seconds))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining(String.valueOf(seconds));
    }

    @Test
    void as_many_files_as_may_be_are_taken() {
        assertThatCode(() -> withFiles(files(32))).doesNotThrowAnyException();
    }

    @Test
    void one_file_more_is_refused() {
        assertThatThrownBy(() -> withFiles(files(33)))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("33");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 16 * 1024 * 1024})
    void a_file_of_up_to_16_MiB_is_taken(long size) {
        assertThatCode(() -> withFiles(List.of(file("a", size)))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 16 * 1024 * 1024 + 1})
    void a_file_of_another_size_is_refused(long size) {
        assertThatThrownBy(() -> withFiles(List.of(file("a.csv", size))))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("a.csv");
    }

    @Test
    void two_files_of_one_name_are_refused() {
        assertThatThrownBy(() -> withFiles(List.of(file("a.csv", 1), file("b.csv", 1), file("a.csv", 2))))
                .isInstanceOf(InvalidRunException.class)
                .hasMessageContaining("a.csv");
    }

    private static List<InputFile> files(int count) {
        List<InputFile> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(file("f" + i, 1));
        }
        return files;
    }

    private static InputFile file(String name, long size) {
        return new InputFile(InputFileName.of(name), size, HASH);
    }

    private static RunRequest withArguments(List<String> argv) {
        return request(argv, HOUR, List.of());
    }

    private static RunRequest withTimeout(long seconds) {
        return request(List.of("a"), Duration.ofSeconds(seconds), List.of());
    }

    private static RunRequest withFiles(List<InputFile> files) {
        return request(List.of("a"), HOUR, files);
    }

    private static RunRequest request(List<String> argv, Duration timeout, List<InputFile> files) {
        return new RunRequest(
                RunRequest.SCHEMA,
                RunId.of("run_" + "a".repeat(26)),
                Account.of("acme"),
                App.of("web"),
                Host.of("a.example.com"),
                Incarnation.of(HASH),
                argv,
                timeout.toSeconds(),
                Instant.parse("2026-01-02T03:04:05Z"),
                "ann",
                files);
    }

    private static RunRequest read(String json) {
        return CarlosJson.read("request", json.getBytes(StandardCharsets.UTF_8), RunRequest.class, RunRequest.SCHEMA);
    }
}

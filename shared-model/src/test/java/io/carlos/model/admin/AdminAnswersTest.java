package io.carlos.model.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.json.CarlosJson;
import io.carlos.model.names.Account;
import io.carlos.model.names.App;
import io.carlos.model.names.Host;
import io.carlos.model.names.VmName;
import io.carlos.model.runs.RunId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The answers as they go over the wire, and what comes of them at the other end. */
class AdminAnswersTest {
    private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");
    private static final RunId FIRST = RunId.of("run_" + "a".repeat(26));
    private static final RunId SECOND = RunId.of("run_" + "b".repeat(26));

    @Test
    void rowsKeepHostStateAndReason() {
        assertWire(
                new InstanceRows(List.of(new InstanceRows.Row(
                        Account.of("acme"),
                        App.of("web"),
                        Host.of("a.example.com"),
                        "crashed",
                        "run",
                        "exited with 3",
                        AT))),
                "{\"instances\":[{\"account\":\"acme\",\"app\":\"web\",\"host\":\"a.example.com\",\"state\":\"crashed\",\"desired\":\"run\","
                        + "\"reason\":\"exited with 3\",\"since\":\"2026-11-30T12:00:00Z\"}]}");
    }

    @Test
    void machinesKeepWhereTheyAreAndWhatTheyHave() {
        assertWire(
                new VmRows(List.of(new VmRows.Row(
                        VmName.of("build"), "0123456789abcdef", "failed", "it was killed", AT, 1000, "/srv/build"))),
                "{\"vms\":[{\"name\":\"build\",\"id\":\"0123456789abcdef\",\"state\":\"failed\",\"reason\":\"it was killed\","
                        + "\"since\":\"2026-11-30T12:00:00Z\",\"uid\":1000,\"workspace\":\"/srv/build\"}]}");
    }

    @Test
    void linesKeepTheirNumbersAndWhatIsMissing() {
        assertWire(
                new LogLines(List.of(new LogLines.Line(8, AT, "up", false)), 3, 9),
                "{\"lines\":[{\"seq\":8,\"at\":\"2026-11-30T12:00:00Z\",\"text\":\"up\",\"continues\":false}],"
                        + "\"dropped\":3,\"next\":9}");
    }

    @Test
    void executingRunsAreSorted() {
        assertThat(new DrainState(true, List.of(SECOND, FIRST)).executing()).containsExactly(FIRST, SECOND);
    }

    @Test
    void aStatusKeepsItsAbsentPass() {
        assertWire(
                new BoxStatus(
                        "b1",
                        "eu",
                        7,
                        AT,
                        true,
                        new DrainState(false, List.of()),
                        null,
                        "no way",
                        Map.of("running", 2L)),
                "{\"box\":\"b1\",\"region\":\"eu\",\"epoch\":7,\"started_at\":\"2026-11-30T12:00:00Z\","
                        + "\"may_write\":true,\"drain\":{\"draining\":false,\"executing\":[]},\"last_pass\":null,"
                        + "\"pass_failure\":\"no way\",\"instances\":{\"running\":2}}");
    }

    private static void assertWire(Object answer, String json) {
        byte[] wire = CarlosJson.write(answer);

        assertThat(new String(wire, StandardCharsets.UTF_8)).isEqualTo(json);
        assertThat(CarlosJson.read("answer", wire, answer.getClass())).isEqualTo(answer);
    }
}

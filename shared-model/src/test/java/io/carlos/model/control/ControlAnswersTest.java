package io.carlos.model.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeLine.Verdict;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.json.CarlosJson;
import io.carlos.model.json.InvalidDocumentException;
import io.carlos.model.names.InvocationId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlAnswersTest {
    private static final String ID = "0123456789abcdef0123456789abcdef";
    private static final InvocationId INVOCATION = InvocationId.of(ID);

    @Test
    void aStartAnswersItsInvocation() {
        assertJson(new StartAnswer(INVOCATION), "{\"invocation_id\":\"" + ID + "\"}");
    }

    @Test
    void aSeedAnswersHowItEnded() {
        assertJson(
                new SeedAnswer(INVOCATION, "exit-code", 3, MainCode.EXITED),
                "{\"invocation_id\":\"" + ID + "\",\"result\":\"exit-code\",\"status\":3,\"code\":1}");
    }

    @Test
    void aCommandIsRunningDoneOrGone() {
        assertJson(
                CmdAnswer.running(INVOCATION),
                "{\"state\":\"running\",\"invocation_id\":\"" + ID + "\",\"result\":\"\",\"status\":0,\"code\":0}");
        assertJson(
                CmdAnswer.done(INVOCATION, "signal", 9, MainCode.KILLED),
                "{\"state\":\"done\",\"invocation_id\":\"" + ID + "\",\"result\":\"signal\",\"status\":9,\"code\":2}");
        assertJson(
                CmdAnswer.gone(INVOCATION),
                "{\"state\":\"gone\",\"invocation_id\":\"" + ID + "\",\"result\":\"\",\"status\":0,\"code\":0}");
    }

    @Test
    void aStateHasItsWireName() {
        for (CmdState state : CmdState.values()) {
            assertThat(state).hasToString(state.wireName());
        }
    }

    @Test
    void aStateOrCodeThatIsNoneIsRefused() {
        String json = new String(CarlosJson.write(CmdAnswer.gone(INVOCATION)), StandardCharsets.UTF_8);
        for (String broken : List.of(
                json.replace("gone", "over"), json.replace("gone", "GONE"), json.replace("\"code\":0", "\"code\":4"))) {
            assertThatThrownBy(
                            () -> CarlosJson.read("answer", broken.getBytes(StandardCharsets.UTF_8), CmdAnswer.class))
                    .isInstanceOf(InvalidDocumentException.class);
        }
    }

    @Test
    void aSweepAnswersSortedUnits() {
        assertJson(new SweepAnswer(List.of("b.service", "a.service")), "{\"units\":[\"a.service\",\"b.service\"]}");
    }

    @Test
    void aProblemIsOneOfRfc9457() {
        assertThat(Problem.MEDIA_TYPE).isEqualTo("application/problem+json");
        assertJson(
                new Problem(Problem.NO_TYPE, "Conflict", 409, "a.b: the cmd unit is still loaded"),
                "{\"type\":\"about:blank\",\"title\":\"Conflict\",\"status\":409,"
                        + "\"detail\":\"a.b: the cmd unit is still loaded\"}");
    }

    @Test
    void aBoxThatIsNotReadyAnswersAProblemThatIsAReportToo() {
        ProbeReport report = new ProbeReport(List.of(new ProbeLine("pid1", Verdict.FAIL, "it is 7")));
        NotReady answer = NotReady.of(report);
        assertJson(
                answer,
                "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
                        + "\"detail\":\"this box is not ready to isolate instances\",\"ready\":false,"
                        + "\"lines\":[{\"check\":\"pid1\",\"verdict\":\"fail\",\"detail\":\"it is 7\"}]}");
        assertThat(answer.report()).isEqualTo(report);
        assertThat(ProbeReport.read(CarlosJson.write(answer))).isEqualTo(report);
        assertThat(CarlosJson.read("problem", CarlosJson.write(answer), Problem.class)
                        .status())
                .isEqualTo(503);
    }

    @Test
    void aBoxThatIsReadyHasNoProblem() {
        ProbeReport ready = new ProbeReport(List.of(new ProbeLine("pid1", Verdict.OK, "")));
        assertThatThrownBy(() -> NotReady.of(ready)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void assertJson(Object value, String json) {
        byte[] bytes = CarlosJson.write(value);
        assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(json);
        Object read = CarlosJson.read("answer", bytes, value.getClass());
        assertThat(read).isEqualTo(value);
    }
}

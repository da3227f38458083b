package io.carlos.model.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.files.ProbeLine.Verdict;
import io.carlos.model.testing.Mutations;
import io.carlos.model.testing.Seeded;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeReportTest {
    private static final ProbeLine OK = new ProbeLine("pid1", Verdict.OK, "own pid is 1");
    private static final ProbeLine UNVERIFIED = new ProbeLine("imds-v6", Verdict.UNVERIFIED, "no route");
    private static final ProbeLine FAIL = new ProbeLine("loopback", Verdict.FAIL, "EPERM");
    private static final String JSON = "{\"ready\":true,\"lines\":["
            + "{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"own pid is 1\"},"
            + "{\"check\":\"imds-v6\",\"verdict\":\"unverified\",\"detail\":\"no route\"}]}";

    @Test
    void aReportIsReadAndWritten() {
        ProbeReport report = new ProbeReport(List.of(OK, UNVERIFIED));
        assertThat(read(JSON)).isEqualTo(report);
        assertThat(report.toJson()).isEqualTo(JSON);
    }

    @Test
    void onlyAFailureBlocks() {
        assertThat(new ProbeReport(List.of(OK)).ready()).isTrue();
        assertThat(new ProbeReport(List.of(UNVERIFIED)).ready()).isTrue();
        assertThat(new ProbeReport(List.of(OK, FAIL, OK)).ready()).isFalse();
    }

    @Test
    void aFailureIsReadAsSuch() {
        ProbeReport report = new ProbeReport(List.of(OK, FAIL));
        assertThat(report.toJson()).startsWith("{\"ready\":false,");
        assertThat(read(report.toJson())).isEqualTo(report);
    }

    @Test
    void aReportWithoutLinesIsNotReady() {
        assertThat(new ProbeReport(List.of()).ready()).isFalse();
        assertThat(new ProbeReport(List.of()).toJson()).isEqualTo("{\"ready\":false,\"lines\":[]}");
    }

    @Test
    void unknownMembersAreIgnored() {
        assertThat(read(JSON.replace("{\"check\"", "{\"took_ms\":3,\"check\"")
                        .replace("\"ready\"", "\"more\":[],\"ready\"")))
                .isEqualTo(read(JSON));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "carlos: cannot open /etc/carlos",
                "{}",
                "[]",
                "null",
                "{\"ready\":true}",
                "{\"ready\":true,\"lines\":[]}",
                "{\"ready\":false,\"lines\":[]}",
                "{\"ready\":true,\"lines\":null}",
                "{\"ready\":true,\"lines\":{}}",
                "{\"ready\":true,\"lines\":[{}]}",
                "{\"ready\":true,\"lines\":[\"ok\"]}",
                "{\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"\"}]}",
                "{\"ready\":\"true\",\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"\"}]}",
                "{\"ready\":1,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"fail\",\"detail\":\"\"}]}",
                "{\"ready\":false,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"OK\",\"detail\":\"\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"okay\",\"detail\":\"\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":true,\"detail\":\"\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"detail\":\"\"}]}",
                "{\"ready\":true,\"lines\":[{\"verdict\":\"ok\",\"detail\":\"\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"verdict\":\"ok\",\"detail\":\"\"}]}",
                "{\"ready\":true,\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"\\u0000\"}]}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"\"}]}{}",
                "{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"\"}"
            })
    void whatIsNoReportIsNotReadyWithOneLineThatSaysWhy(String text) {
        assertThat(read(text).ready()).isFalse();
        assertThat(read(text).lines()).singleElement().satisfies(line -> {
            assertThat(line.check()).isEqualTo("report");
            assertThat(line.verdict()).isEqualTo(Verdict.FAIL);
            assertThat(line.detail()).startsWith("probe report: ");
        });
    }

    @Test
    void aReportThatContradictsItselfSaysSo() {
        assertThat(read(JSON.replace("\"unverified\"", "\"fail\"")).lines())
                .containsExactly(new ProbeLine(
                        "report", Verdict.FAIL, "probe report: ready is true, but its lines say otherwise"));
    }

    @Test
    void aReportOver256KiBIsNotReady() {
        assertThat(read(JSON + " ".repeat(256 * 1024)).lines())
                .singleElement()
                .satisfies(line -> assertThat(line.detail()).contains("over the 262144 allowed"));
    }

    @Test
    void malformedUtf8IsNotReady() {
        byte[] latin1 = JSON.replace("no route", "é").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(ProbeReport.read(latin1).ready()).isFalse();
    }

    @Test
    void aBoxCanBeNotReadyForAReasonOfItsOwn() {
        assertThat(ProbeReport.notReady("/etc/carlos/probe-secret is missing").lines())
                .containsExactly(new ProbeLine("report", Verdict.FAIL, "/etc/carlos/probe-secret is missing"));
        assertThat(ProbeReport.notReady("").ready()).isFalse();
    }

    @Test
    void aLineStaysOneLine() {
        assertThat(new ProbeLine("a\nb", Verdict.OK, "c\u001b[2J\r\nd")).hasToString("a?b: ok: c?[2J??d");
        assertThat(new ProbeLine("a", Verdict.OK, "x".repeat(5_000)).detail()).hasSize(1_000);
    }

    @Test
    void aBrokenReportIsNeverMoreReadyThanItsLines() {
        Seeded.check(50_000, random -> {
            ProbeReport report = ProbeReport.read(Mutations.mutate(random, JSON));
            assertThat(report.lines()).isNotEmpty();
            assertThat(report.ready())
                    .isEqualTo(report.lines().stream().noneMatch(line -> line.verdict() == Verdict.FAIL));
            assertThat(read(report.toJson())).isEqualTo(report);
        });
    }

    private static ProbeReport read(String json) {
        return ProbeReport.read(json.getBytes(StandardCharsets.UTF_8));
    }
}

package io.carlos.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.RecordingConsole;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each command over a real socket, and what it prints of the answer. */
@Timeout(60)
class AgentCommandsTest {
    private static final Host HOST = Host.of("a.example.com");
    private static final String ROWS = """
            {"instances":[{"account":"acme","app":"web","host":"a.example.com","state":"crashed","desired":"run","reason":"exited with 3",
            "since":"2026-11-30T12:00:00Z"},{"account":"acme","app":"web","host":"b.example.com","state":"running","desired":"run","reason":"",
            "since":"2026-11-30T12:00:00Z"}]}""";
    private static final String LINES = """
            {"lines":[{"seq":4,"at":"2026-11-30T12:00:00Z","text":"one","continues":false},
            {"seq":5,"at":"2026-11-30T12:00:00Z","text":"tw","continues":true},
            {"seq":6,"at":"2026-11-30T12:00:00Z","text":"o","continues":false}],"dropped":3,"next":7}""";
    private static final String NO_LINES = "{\"lines\":[],\"dropped\":0,\"next\":7}";

    @TempDir
    private Path directory;

    private final RecordingConsole console = new RecordingConsole();
    private Path socket;
    private StandInAgent agent;

    @BeforeEach
    void listen() throws IOException {
        socket = directory.resolve("agent.sock");
        agent = StandInAgent.on(socket);
    }

    @AfterEach
    void end() throws IOException {
        agent.close();
    }

    @Test
    void anInstanceIsStartedAndShown() throws Exception {
        agent.answerNothing().answer(ROWS);

        new InstanceOperations(console).start(HOST, false, OutputFormat.TABLE, socket);

        assertThat(agent.requests())
                .containsExactly("POST /admin/v1/instances/a.example.com/start?role=run", "GET /admin/v1/instances");
        assertThat(console.outText())
                .contains("a.example.com  crashed", "exited with 3")
                .doesNotContain("b.example");
    }

    @Test
    void aSidecarIsStoppedAndRestartedByItsRole() throws Exception {
        agent.answerNothing().answer(ROWS).answerNothing().answer(ROWS);

        new InstanceOperations(console).stop(HOST, true, OutputFormat.JSON, socket);
        new InstanceOperations(console).restart(HOST, true, OutputFormat.JSON, socket);

        assertThat(agent.requests())
                .contains(
                        "POST /admin/v1/instances/a.example.com/stop?role=sidecar",
                        "POST /admin/v1/instances/a.example.com/restart?role=sidecar");
        assertThat(console.outText())
                .startsWith("{\"account\":\"acme\",\"app\":\"web\",\"host\":\"a.example.com\",\"state\":\"crashed\"");
    }

    @Test
    void aRefusalIsItsDetailAndIsNotTriedAgain() {
        agent.refuse(503, "a.example.com was not started: the box is not ready").answerNothing();

        assertThatThrownBy(() -> new InstanceOperations(console).start(HOST, false, OutputFormat.TABLE, socket))
                .isInstanceOfSatisfying(CliException.class, e -> {
                    assertThat(e.exit()).isEqualTo(CliExit.REFUSED);
                    assertThat(e.getMessage()).isEqualTo("a.example.com was not started: the box is not ready");
                });
        assertThat(agent.requests()).hasSize(1);
    }

    @Test
    void anAnswerThatIsNoProblemStillNamesItsStatus() {
        agent.answerPlainly(500, "boom");

        assertThatThrownBy(() -> new BoxAgentCommands(console).status(OutputFormat.TABLE, socket))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("status 500");
    }

    @Test
    void anAnswerThatCannotBeReadIsUnavailable() {
        agent.answer("{\"surprise\":1}");

        assertThatThrownBy(() -> new BoxAgentCommands(console).status(OutputFormat.TABLE, socket))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exit()).isEqualTo(CliExit.UNAVAILABLE))
                .hasMessageContaining("no agent that this carlos understands");
    }

    @Test
    void noAgentIsUnavailableAndSaysWhatToCheck() throws Exception {
        agent.close();

        assertNobody(socket);
        Files.delete(socket);
        assertNobody(socket);
    }

    private void assertNobody(Path at) {
        assertThatThrownBy(() -> new BoxAgentCommands(console).drain(OutputFormat.TABLE, at))
                .isInstanceOfSatisfying(CliException.class, e -> {
                    assertThat(e.exit()).isEqualTo(CliExit.UNAVAILABLE);
                    assertThat(e.getMessage()).contains(at.toString(), "systemctl status carlos-edge");
                });
    }

    @Test
    void rowsBesideRecordsAreLeftOutWhereNoAgentAnswers() throws Exception {
        AgentClient client = new AgentClient(socket);
        List<String> warnings = new ArrayList<>();
        agent.answer(ROWS);

        assertThat(client.askIfHere(AgentApi::instances, warnings::add)).isPresent();
        agent.close();
        assertThat(client.askIfHere(AgentApi::instances, warnings::add)).isEmpty();
        Files.delete(socket);
        assertThat(client.askIfHere(AgentApi::instances, warnings::add)).isEmpty();
        assertThat(warnings).isEmpty();
    }

    @Test
    void anAgentThatIsHereAndFailsIsWarnedAbout() throws Exception {
        List<String> warnings = new ArrayList<>();
        agent.refuse(500, "no way");

        assertThat(new AgentClient(socket).askIfHere(AgentApi::instances, warnings::add))
                .isEmpty();
        assertThat(warnings).containsExactly("no way");
    }

    @Test
    void anAgentThatIsHereAndHangsIsNotWaitedFor() throws Exception {
        agent.close();
        Files.delete(socket);
        List<String> warnings = new ArrayList<>();
        try (ServerSocketChannel hangs = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            hangs.bind(UnixDomainSocketAddress.of(socket));

            assertThat(new AgentClient(socket, Duration.ofMillis(50)).askIfHere(AgentApi::instances, warnings::add))
                    .isEmpty();
        }
        assertThat(warnings).singleElement().asString().contains("no answer within 50 ms");
    }

    @Test
    void anAgentThatHangsUpMayHaveDoneWhatWasAsked() {
        agent.hangUp();

        assertThatThrownBy(() -> new BoxAgentCommands(console).drain(OutputFormat.TABLE, socket))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exit()).isEqualTo(CliExit.UNAVAILABLE))
                .hasMessageContaining("may have been done");
    }

    @Test
    void aRequestThatTheAgentFindsMalformedIsAMistakeOfUse() {
        agent.refuse(400, "role is none");

        assertThatThrownBy(() -> new BoxAgentCommands(console).drain(OutputFormat.TABLE, socket))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exit()).isEqualTo(CliExit.USAGE));
    }

    @Test
    void asksLeaveNoDescriptorOpen() throws Exception {
        AgentClient client = new AgentClient(socket);
        agent.answer(ROWS);
        client.ask(AgentApi::instances);
        long before = descriptors();

        for (int i = 0; i < 50; i++) {
            agent.answer(ROWS);
            client.ask(AgentApi::instances);
        }

        assertThat(descriptors()).isLessThan(before + 25);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    @Test
    void linesAreReadToTheEndAndJoinedWhereTheyWereCut() throws Exception {
        agent.answer(LINES).answer(NO_LINES);

        new LogCommands(console).logs(HOST, Role.SIDECAR, false, OutputFormat.TABLE, socket);

        assertThat(agent.requests())
                .containsExactly(
                        "GET /admin/v1/instances/a.example.com/logs?role=sidecar&from=1&wait=0",
                        "GET /admin/v1/instances/a.example.com/logs?role=sidecar&from=7&wait=0");
        assertThat(console.outText()).isEqualTo("one\ntwo\n");
        assertThat(console.errText()).contains("3 lines are not kept any more");
    }

    @Test
    void followingGoesOnAtTheEndAndWaitsThere() {
        agent.answer(LINES).answer(NO_LINES).answer(LINES).refuse(404, "gone");

        assertThatThrownBy(() -> new LogCommands(console).logs(HOST, Role.RUN, true, OutputFormat.JSON, socket))
                .hasMessage("gone");
        assertThat(agent.requests()).element(2).asString().endsWith("from=7&wait=20");
        assertThat(console.outText().lines()).hasSize(6).first().asString().startsWith("{\"seq\":4,");
    }

    @Test
    void onATerminalWhatALineWouldMoveIsSpelledOut() throws Exception {
        RecordingConsole terminal = new RecordingConsole(true);
        agent.answer(
                        "{\"lines\":[{\"seq\":1,\"at\":\"2026-11-30T12:00:00Z\",\"text\":\"\\u001b[2J\",\"continues\":false}],"
                                + "\"dropped\":0,\"next\":2}")
                .answer(NO_LINES);

        new LogCommands(terminal).logs(HOST, Role.RUN, false, OutputFormat.TABLE, socket);

        assertThat(terminal.outText()).isEqualTo("\\u001b[2J\n");
    }

    @Test
    void onATerminalALineOfLogsIsOneLineOfJsonInAscii() throws Exception {
        RecordingConsole terminal = new RecordingConsole(true);
        agent.answer("{\"lines\":[{\"seq\":1,\"at\":\"2026-11-30T12:00:00Z\",\"text\":\"\\u009b\\u007f\\u202e\","
                        + "\"continues\":false}],\"dropped\":0,\"next\":2}")
                .answer(NO_LINES);

        new LogCommands(terminal).logs(HOST, Role.RUN, false, OutputFormat.JSON, socket);

        assertThat(terminal.outText().lines())
                .singleElement()
                .asString()
                .containsIgnoringCase("\"\\u009b\\u007f\\u202e\"");
    }

    @Test
    void aProbeThatFailsIsATableAndExitsWithOne() throws Exception {
        agent.answer(
                "{\"ready\":false,\"lines\":[{\"check\":\"imds-v4\",\"verdict\":\"fail\",\"detail\":\"it answers\"}]}");

        int exit = new BoxAgentCommands(console).probe(OutputFormat.TABLE, socket);

        assertThat(exit).isEqualTo(1);
        assertThat(console.outText()).contains("fail     imds-v4  it answers");
    }

    @Test
    void aProbeThatHoldsExitsWithZero() throws Exception {
        agent.answer("{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\",\"detail\":\"1\"}]}");

        assertThat(new BoxAgentCommands(console).probe(OutputFormat.JSON, socket))
                .isZero();
        assertThat(console.outText()).startsWith("{\"ready\":true,\"lines\":[{\"check\":\"pid1\",\"verdict\":\"ok\"");
    }

    @Test
    void aStatusIsATableForPeopleAndTheAnswerForPrograms() throws Exception {
        String status = "{\"box\":\"b1\",\"region\":\"eu\",\"epoch\":7,\"started_at\":\"2026-11-30T12:00:00Z\","
                + "\"may_write\":true,\"drain\":{\"draining\":true,\"executing\":[]},\"last_pass\":null,"
                + "\"pass_failure\":\"no way\",\"instances\":{\"running\":2}}";
        agent.answer(status).answer(status);

        new BoxAgentCommands(console).status(OutputFormat.JSON, socket);
        assertThat(console.outText()).isEqualTo(status + "\n");
        new BoxAgentCommands(console).status(OutputFormat.TABLE, socket);

        assertThat(console.outText()).contains("no: it drains", "2 running", "not complete: no way");
    }

    @Test
    void sweepDrainAndResumePrintWhatTheyDid() throws Exception {
        BoxAgentCommands commands = new BoxAgentCommands(console);
        agent.answer("{\"units\":[\"carlos-instance@a.service\"]}")
                .answer("{\"draining\":true,\"executing\":[\"run_" + "a".repeat(26) + "\"]}")
                .answer("{\"draining\":false,\"executing\":[]}");

        commands.sweep(OutputFormat.TABLE, socket);
        commands.drain(OutputFormat.TABLE, socket);
        commands.resume(OutputFormat.JSON, socket);

        assertThat(agent.requests())
                .containsExactly("POST /admin/v1/box/sweep", "POST /admin/v1/box/drain", "POST /admin/v1/box/resume");
        assertThat(console.outText())
                .contains("carlos-instance@a.service", "run_" + "a".repeat(26))
                .endsWith("{\"draining\":false,\"executing\":[]}\n");
    }
}

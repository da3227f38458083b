package io.carlos.cli.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.cli.agent.StandInAgent;
import io.carlos.cli.console.OutputFormat;
import io.carlos.cli.console.RecordingConsole;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.model.names.VmName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each command over a real socket, and what it prints of the answer. */
@Timeout(60)
class VmCommandsTest {
    private static final VmName NAME = VmName.of("build");
    private static final String ROW =
            "{\"name\":\"build\",\"id\":\"0123456789abcdef\",\"state\":\"failed\",\"reason\":\"killed\\u001b[2J\","
                    + "\"since\":\"2026-11-30T12:00:00Z\",\"uid\":1000,\"workspace\":\"/srv/build\"}";

    @TempDir
    private Path directory;

    private final RecordingConsole console = new RecordingConsole();
    private final VmCommands commands = new VmCommands(console);
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
    void aCreatedMachineIsItsIdAlone() throws Exception {
        agent.answer(ROW);

        commands.create(NAME, Optional.empty(), 1000, OutputFormat.TABLE, socket);

        assertThat(agent.requests()).containsExactly("POST /admin/v1/vms?name=build&uid=1000");
        assertThat(console.outText()).isEqualTo("0123456789abcdef\n");
    }

    @Test
    void aWorkspaceIsSentAsTheAbsolutePathThatItIsHere() throws Exception {
        agent.answer(ROW);

        commands.create(NAME, Optional.of(Path.of("/srv/../a b&c")), 7, OutputFormat.JSON, socket);

        assertThat(agent.requests()).containsExactly("POST /admin/v1/vms?name=build&workspace=%2Fa%20b%26c&uid=7");
        assertThat(console.outText()).startsWith("{\"name\":\"build\",\"id\"");
    }

    @Test
    void aListShowsStateAndReasonAndMovesNoCursor() throws Exception {
        agent.answer("{\"vms\":[" + ROW + "]}");

        commands.list(OutputFormat.TABLE, socket);

        assertThat(console.outText())
                .contains("NAME", "build", "failed", "1000", "/srv/build", "killed\\u001b[2J")
                .doesNotContain("\u001b");
    }

    @Test
    void aTimeIsSentInWholeSecondsThatAreNotLess() {
        agent.answerNothing().answerNothing().answerNothing();

        commands.start(NAME, socket);
        commands.stop(NAME, Duration.ofMillis(1500), socket);
        commands.remove(NAME, socket);

        assertThat(agent.requests())
                .containsExactly(
                        "POST /admin/v1/vms/build/start",
                        "POST /admin/v1/vms/build/stop?timeout=2",
                        "DELETE /admin/v1/vms/build");
    }

    @Test
    void aCommandThatIsRefusedIsItsDetail() {
        agent.refuse(409, "build is stopped; start it");

        assertThatThrownBy(() -> exec(false, "true")).isInstanceOfSatisfying(CliException.class, e -> {
            assertThat(e.exit()).isEqualTo(CliExit.REFUSED);
            assertThat(e.getMessage()).isEqualTo("build is stopped; start it");
        });
    }

    @Test
    void anAgentThatHangsUpIsUnavailable() {
        agent.hangUp();

        assertThatThrownBy(() -> exec(false, "true"))
                .isInstanceOfSatisfying(
                        CliException.class, e -> assertThat(e.exit()).isEqualTo(CliExit.UNAVAILABLE));
    }

    @Test
    void noWordsAndATerminalThatIsNoneAreUsageErrorsBeforeAnythingIsAsked() {
        assertThatThrownBy(() -> exec(false)).hasMessageContaining("there is no command");
        assertThatThrownBy(() -> exec(true, "true")).hasMessageContaining("-t needs a terminal");
        assertThat(agent.requests()).isEmpty();
    }

    private void exec(boolean terminal, String... argv) throws IOException {
        commands.exec(NAME, false, terminal, List.of(), Optional.empty(), Optional.empty(), socket, List.of(argv));
    }
}

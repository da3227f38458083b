package io.carlos.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The real command line against the real agent of a box without units. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentServiceIT {
    private Path directory;
    private AgentProcess agent;

    @BeforeAll
    void startAgent(@TempDir Path temporary) throws Exception {
        directory = temporary;
        agent = AgentProcess.start(directory, "--carlos.agent.isolations=process");
    }

    @AfterAll
    void stopAgent() throws Exception {
        if (agent != null) {
            agent.stop();
        }
    }

    @Test
    void theBoxTellsItsStatusAndDrainsAndResumes() throws Exception {
        assertThat(carlos("box", "status").out()).contains("b1", "eu");
        assertThat(carlos("box", "drain", "--output", "json").out())
                .isEqualTo("{\"draining\":true,\"executing\":[]}\n");
        assertThat(carlos("box", "status").out()).contains("no: it drains");
        assertThat(carlos("box", "resume").out()).contains("yes");
        assertThat(carlos("box", "sweep").exit()).isZero();
    }

    @Test
    void whatTheAgentRefusesExitsWithItsReason() throws Exception {
        CarlosProcess start = carlos("instances", "start", "a.example.com");
        CarlosProcess probe = carlos("box", "probe");

        assertThat(start.exit()).isEqualTo(76);
        assertThat(start.err()).contains("this box has no isolation unit");
        assertThat(probe.exit()).isEqualTo(76);
    }

    @Test
    void aCommandLineThatCannotBeUnderstoodIsAUsageError() throws Exception {
        assertThat(carlos("instances", "start", "NoHost").exit()).isEqualTo(64);
        assertThat(carlos("logs", "a.example.com", "--role", "none").exit()).isEqualTo(64);
    }

    @Test
    void withoutAnAgentTheExitIsUnavailable() throws Exception {
        CarlosProcess nobody = CarlosProcess.run(
                directory,
                "box",
                "status",
                "--socket",
                directory.resolve("nobody").toString());

        assertThat(nobody.exit()).isEqualTo(69);
        assertThat(nobody.err()).contains("systemctl status carlos-edge");
    }

    private CarlosProcess carlos(String... arguments) throws Exception {
        return CarlosProcess.run(
                directory,
                Stream.concat(
                                Stream.of(arguments),
                                Stream.of("--socket", agent.socket().toString()))
                        .toArray(String[]::new));
    }
}

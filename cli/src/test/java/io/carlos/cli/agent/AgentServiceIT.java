package io.carlos.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.store.directory.DirectoryObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The real command line against the real agent of a box without units. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentServiceIT {
    private static final Path AGENT =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolveSibling("agent-service/target");

    private Path directory;
    private Path socket;
    private Path log;
    private Process agent;

    @BeforeAll
    void startAgent(@TempDir Path temporary) throws Exception {
        directory = temporary;
        Path store = directory.resolve("store");
        DirectoryObjectStore.open(store).close();
        socket = directory.resolve("run/agent/agent.sock");
        log = directory.resolve("agent.log");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                jar().toString(),
                "--spring.profiles.active=box",
                "--carlos.agent.store=" + store,
                "--carlos.agent.data=" + directory.resolve("data"),
                "--carlos.agent.run=" + directory.resolve("run"),
                "--carlos.agent.isolations=process",
                "--carlos.agent.box=b1",
                "--carlos.agent.region=eu");
        agent = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        CarlosProcess.await("the agent's socket", () -> Files.exists(socket) || !agent.isAlive());
        assertThat(agent.isAlive()).as(Files.readString(log)).isTrue();
    }

    private static Path jar() throws IOException {
        try (Stream<Path> files = Files.list(AGENT)) {
            return files.filter(file -> file.getFileName().toString().endsWith("-app.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException(AGENT + ": no agent-service-*-app.jar; package it first"));
        }
    }

    @AfterAll
    void stopAgent() throws Exception {
        if (agent != null) {
            agent.destroy();
            if (!agent.waitFor(60, TimeUnit.SECONDS)) {
                agent.destroyForcibly();
            }
            assertThat(socket).doesNotExist();
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
                Stream.concat(Stream.of(arguments), Stream.of("--socket", socket.toString()))
                        .toArray(String[]::new));
    }
}

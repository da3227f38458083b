package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.cli.agent.AgentProcess;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.testing.PodmanHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code carlos run} for an instance of containers, with a real agent that has podman make one for each run. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodmanRunIT {
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final String HOST = "box.example.com";

    private Path directory;
    private PodmanHost podman;
    private AgentProcess agent;

    @BeforeAll
    void startAgent(@TempDir Path temporary) throws Exception {
        directory = temporary;
        podman = PodmanHost.require(Files.createDirectory(directory.resolve("podman")));
        agent = AgentProcess.start(
                directory,
                "--carlos.agent.isolations=podman",
                "--carlos.agent.podman.root=" + podman.root(),
                "--carlos.agent.podman.native-program=" + podman.nativeProgram(),
                "--carlos.agent.podman.program=" + String.join(",", podman.program()),
                "--carlos.agent.podman.create-arguments=" + String.join(",", podman.createArguments()));
        CarlosProcess created = CarlosProcess.run(
                directory,
                "instances",
                "create",
                HOST,
                "--account",
                "acme",
                "--app",
                "web",
                "--region",
                "eu",
                "--isolation",
                "podman",
                "--store",
                agent.store().toString());
        assertThat(created.exit()).as(created.err()).isZero();
    }

    @AfterAll
    void stopAgent() throws Exception {
        if (agent != null) {
            agent.stop();
        }
        if (podman != null) {
            podman.close();
        }
    }

    @AfterEach
    void nothingOfTheRunIsLeft() throws Exception {
        assertThat(containers()).isEmpty();
        CarlosProcess.await("the end of the monitors", () -> monitors().isEmpty());
        try (Stream<Path> runs = Files.list(data().resolve(".carlos-run"))) {
            assertThat(runs).isEmpty();
        }
    }

    @Test
    void aCommandHasItsFileAndItsStreamsAndExitAreItsOwn() throws Exception {
        Files.writeString(directory.resolve("rows.csv"), "a,1\nb,2\n");

        CarlosProcess carlos = run(
                "--file",
                "rows.csv",
                "--",
                "sh",
                "-c",
                "cat \"$CARLOS_RUN_DIR/rows.csv\"; id -u; echo \"$CARLOS_DATA_DIR\"; echo err >&2;"
                        + " echo kept >\"$CARLOS_DATA_DIR/kept\"; exit 3");

        assertThat(carlos.awaitExit(BOUND)).as(agent.log()).isEqualTo(3);
        assertThat(carlos.out()).isEqualTo("a,1\nb,2\n1000\n/workspace\n");
        assertThat(carlos.err()).isEqualTo("err\n");
        assertThat(data().resolve("kept")).hasContent("kept\n");
        assertThat(Files.getOwner(data().resolve("kept"))).isEqualTo(Files.getOwner(directory));
    }

    @Test
    void aCommandThatIsKilledEndsByItsSignal() throws Exception {
        CarlosProcess carlos = run("--", "sh", "-c", "kill -KILL $$");

        assertThat(carlos.awaitExit(BOUND)).as(agent.log()).isEqualTo(128 + 9);
    }

    @Test
    void aContainerThatIsKilledInterruptsItsRunAndSaysWhy() throws Exception {
        CarlosProcess carlos = run("--", "sh", "-c", "echo ready; exec sleep 3918");
        carlos.awaitOut("ready", BOUND);

        podman.call("kill", containers().getFirst());

        assertThat(carlos.awaitExit(BOUND)).as(agent.log()).isEqualTo(76);
        assertThat(carlos.out()).isEqualTo("ready\n");
        assertThat(carlos.err()).contains("the run was interrupted", "the container ended under the command");
    }

    private CarlosProcess run(String... arguments) throws IOException {
        Stream<String> run =
                Stream.of("run", "--host", HOST, "--store", agent.store().toString());
        return CarlosProcess.start(
                directory, Stream.concat(run, Stream.of(arguments)).toArray(String[]::new));
    }

    private List<String> containers() throws Exception {
        String label = "--filter=label=io.carlos.owner=" + directory.resolve("data");
        return podman.call("ps", "--all", "--quiet", label).lines().toList();
    }

    private Path data() throws IOException {
        try (Stream<Path> instances = Files.list(directory.resolve("data/instances"))) {
            return instances.findFirst().orElseThrow();
        }
    }

    /** Of containers, and of commands in them. */
    private List<String> monitors() {
        try {
            return ProcFs.processes().stream()
                    .filter(process -> !process.isDead())
                    .map(ProcessStat::pid)
                    .map(PodmanRunIT::commandLine)
                    .filter(line -> line.contains("conmon") && line.contains(directory.toString()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String commandLine(int pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it ended meanwhile
        }
    }
}

package io.carlos.agent.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class KillLeftoversTest {
    private static final String DAEMON = "setsid sh -c 'echo $$ > d; mv d ../daemon; exec sleep 1000' & "
            + "echo $$ > c; mv c ../command; exec sleep 1000";

    @TempDir
    private Path directory;

    /** An agent that starts one command, says so, and waits to be killed. Its argument is its data root. */
    static final class DoomedAgent {
        public static void main(String[] arguments) throws Exception {
            Path data = Path.of(arguments[0]);
            Path run = Files.createDirectories(data.resolve("instance").resolve("run"));
            LaunchRequest request = new LaunchRequest(
                    RunId.random(new SecureRandom()),
                    Records.of("acme.example.com").ref(),
                    Records.of("acme.example.com").incarnation(),
                    List.of("sh", "-c", DAEMON),
                    Map.of(),
                    data,
                    run);
            LaunchOutcome outcome = new ProcessLauncher().launch(request, (channel, bytes, offset, length) -> {});
            System.out.println(outcome);
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (!Files.exists(run.resolve("../daemon")) || !Files.exists(run.resolve("../command"))) {
                if (System.nanoTime() > deadline) {
                    System.out.println("the command did not start its daemon");
                    return;
                }
                Thread.sleep(1);
            }
            System.out.println("ready");
            Thread.sleep(Duration.ofDays(1));
        }
    }

    @Test
    void everythingAKilledAgentLeftIsKilledAndNamed() throws Exception {
        Path mine = Files.createDirectory(directory.resolve("data"));
        Path other = Files.createDirectory(directory.resolve("data-of-another"));
        startAndKillAgent(mine);
        startAndKillAgent(other);

        List<ProcessStat> killed = ProcessLauncher.killLeftovers(mine);

        assertThat(killed)
                .extracting(ProcessStat::pid)
                .containsExactlyInAnyOrder(pid(mine, "command"), pid(mine, "daemon"));
        assertThat(isAlive(pid(mine, "command")) || isAlive(pid(mine, "daemon")))
                .isFalse();
        assertThat(isAlive(pid(other, "command")) && isAlive(pid(other, "daemon")))
                .isTrue();
        assertThat(ProcessLauncher.killLeftovers(other)).hasSize(2);
    }

    @Test
    void dataRootReachedThroughALinkIsTheSame() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        startAndKillAgent(data);
        Path link = Files.createSymbolicLink(directory.resolve("link"), data);
        assertThat(ProcessLauncher.killLeftovers(link)).hasSize(2);
    }

    @Test
    void missingDataRootHasNothingLeft() throws Exception {
        assertThat(ProcessLauncher.killLeftovers(directory.resolve("missing"))).isEmpty();
    }

    /** An agent that looks for leftovers beneath its argument, in which it itself seems to run. */
    static final class MarkedAgent {
        public static void main(String[] arguments) throws Exception {
            System.out.println(
                    ProcessLauncher.killLeftovers(Path.of(arguments[0])).size());
        }
    }

    @Test
    void agentThatWasItselfStartedInARunSparesItself() throws Exception {
        ProcessBuilder agent = java(MarkedAgent.class, directory);
        agent.environment().put("CARLOS_RUN_DIR", directory.resolve("run").toString());
        Process process = agent.start();
        try (BufferedReader output = process.inputReader()) {
            assertThat(output.readLine()).isEqualTo("0");
        }
        assertThat(process.waitFor()).isZero();
    }

    private static void startAndKillAgent(Path data) throws IOException, InterruptedException {
        Process agent = java(DoomedAgent.class, data).start();
        try (BufferedReader output = agent.inputReader()) {
            assertThat(output.readLine()).startsWith("Started");
            assertThat(output.readLine()).isEqualTo("ready");
        } finally {
            agent.destroyForcibly().waitFor();
        }
    }

    private static ProcessBuilder java(Class<?> main, Path argument) {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        argument.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static int pid(Path data, String name) throws IOException {
        return Integer.parseInt(
                Files.readString(data.resolve("instance").resolve(name)).strip());
    }

    private static boolean isAlive(int pid) throws IOException {
        return ProcFs.stat(pid).filter(process -> !process.isDead()).isPresent();
    }
}

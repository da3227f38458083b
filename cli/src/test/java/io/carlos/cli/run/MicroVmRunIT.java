package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.cli.agent.AgentProcess;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.testing.GuestCache;
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

/** {@code carlos run} for an instance of virtual machines, with a real agent that boots one for each run. */
@Timeout(1200)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MicroVmRunIT {
    private static final String HOST = "vm.example.com";

    /** An emulated machine takes a minute to boot on a busy one, and more on a very busy one. */
    private static final Duration RUN_BOUND = Duration.ofMinutes(10);

    private Path directory;
    private AgentProcess agent;

    @BeforeAll
    void startAgent(@TempDir Path temporary) throws Exception {
        GuestCache cache = GuestCache.require();
        directory = temporary;
        agent = AgentProcess.start(
                directory,
                "--carlos.agent.isolations=microvm",
                // CI's own answers, and gives nothing.
                "--carlos.agent.microvm.metadata-addresses=",
                "--carlos.agent.microvm.image=" + cache.image(),
                "--carlos.agent.microvm.tools=" + cache.tools(),
                "--carlos.agent.microvm.accelerator=" + (GuestCache.mustEmulate() ? "tcg" : "kvm"),
                "--carlos.agent.microvm.boot-budget=" + RUN_BOUND.toMinutes() + "m");
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
                "microvm",
                "--store",
                agent.store().toString());
        assertThat(created.exit()).as(created.err()).isZero();
    }

    @AfterAll
    void stopAgent() throws Exception {
        if (agent != null) {
            agent.stop();
        }
    }

    @AfterEach
    void nothingOfTheRunIsLeft() throws Exception {
        assertThat(sessions()).isEmptyDirectory();
        assertThat(commandLinesWith(sessions().toString())).isEmpty();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(directory.toString());
        try (Stream<Path> runs = Files.list(data().resolve(".carlos-run"))) {
            assertThat(runs).isEmpty();
        }
    }

    @Test
    void aCommandHasItsFileAndItsOwnKernelAndItsStreamsAndExitAreItsOwn() throws Exception {
        Files.writeString(directory.resolve("rows.csv"), "a,1\nb,2\n");

        CarlosProcess carlos = start(
                "--file",
                "rows.csv",
                "--",
                "sh",
                "-c",
                "cat \"$CARLOS_RUN_DIR/rows.csv\"; id -u; cat /proc/sys/kernel/random/boot_id; echo err >&2;"
                        + " echo kept >\"$CARLOS_DATA_DIR/kept\"; exit 3");

        assertThat(carlos.awaitExit(RUN_BOUND)).as(agent.log()).isEqualTo(3);
        assertThat(carlos.err()).isEqualTo("err\n");
        List<String> lines = carlos.out().lines().toList();
        assertThat(lines).hasSize(4).startsWith("a,1", "b,2", "1000");
        assertThat(lines.getLast())
                .isNotEqualTo(Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                        .strip());
        assertThat(data().resolve("kept")).hasContent("kept\n");
        assertThat(Files.getOwner(data().resolve("kept"))).isEqualTo(Files.getOwner(directory));
    }

    @Test
    void aCommandThatIsKilledEndsByItsSignal() throws Exception {
        CarlosProcess carlos = start("--", "sh", "-c", "kill -KILL $$");

        assertThat(carlos.awaitExit(RUN_BOUND)).as(agent.log()).isEqualTo(128 + 9);
    }

    @Test
    void aMachineThatIsKilledInterruptsItsRunAndSaysWhy() throws Exception {
        CarlosProcess carlos = start("--", "sh", "-c", "echo ready; exec sleep 3917");
        awaitOutput(carlos, "ready\n");

        ProcessHandle monitor = commandLinesWith(sessions().toString()).stream()
                .filter(line -> line.text().contains("qemu-system-x86_64"))
                .findFirst()
                .flatMap(line -> ProcessHandle.of(line.pid()))
                .orElseThrow();
        monitor.destroyForcibly();

        assertThat(carlos.awaitExit(RUN_BOUND)).as(agent.log()).isEqualTo(76);
        assertThat(carlos.out()).isEqualTo("ready\n");
        assertThat(carlos.err()).contains("the run was interrupted", "the container ended under the command");
        assertThat(agent.log()).contains("qemu was killed by signal 9 while the machine ran");
    }

    private CarlosProcess start(String... arguments) throws IOException {
        return CarlosProcess.start(
                directory,
                Stream.concat(
                                Stream.of(
                                        "run",
                                        "--host",
                                        HOST,
                                        "--store",
                                        agent.store().toString()),
                                Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private void awaitOutput(CarlosProcess carlos, String text) throws Exception {
        long until = System.nanoTime() + RUN_BOUND.toNanos();
        while (!carlos.out().equals(text)) {
            assertThat(System.nanoTime()).as(agent.log()).isLessThan(until);
            Thread.sleep(50);
        }
    }

    private Path sessions() {
        return directory.resolve("run/agent/microvm");
    }

    private Path data() {
        try (Stream<Path> instances = Files.list(directory.resolve("data/instances"))) {
            return instances.findFirst().orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record CommandLine(int pid, String text) {}

    private static List<CommandLine> commandLinesWith(String text) throws IOException {
        return ProcFs.processes().stream()
                .filter(process -> !process.isDead())
                .map(ProcessStat::pid)
                .map(pid -> new CommandLine(pid, commandLine(pid)))
                .filter(line -> line.text().contains(text))
                .toList();
    }

    private static String commandLine(int pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it ended meanwhile
        }
    }
}

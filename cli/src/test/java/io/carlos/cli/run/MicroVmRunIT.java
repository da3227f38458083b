package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private Path directory;
    private MicroVmBox box;

    @BeforeAll
    void startAgent(@TempDir Path temporary) throws Exception {
        directory = temporary;
        box = MicroVmBox.start(directory);
    }

    @AfterAll
    void stopAgent() throws Exception {
        if (box != null) {
            box.stop();
        }
    }

    @AfterEach
    void nothingOfTheRunIsLeft() throws Exception {
        assertThat(box.sessions()).isEmptyDirectory();
        assertThat(box.programs()).isEmpty();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(directory.toString());
        try (Stream<Path> runs = Files.list(box.data().resolve(".carlos-run"))) {
            assertThat(runs).isEmpty();
        }
    }

    @Test
    void aCommandHasItsFileAndItsOwnKernelAndItsStreamsAndExitAreItsOwn() throws Exception {
        Files.writeString(directory.resolve("rows.csv"), "a,1\nb,2\n");

        CarlosProcess carlos = box.run(
                "--file",
                "rows.csv",
                "--",
                "sh",
                "-c",
                "cat \"$CARLOS_RUN_DIR/rows.csv\"; id -u; cat /proc/sys/kernel/random/boot_id; echo err >&2;"
                        + " echo kept >\"$CARLOS_DATA_DIR/kept\"; exit 3");

        assertThat(carlos.awaitExit(MicroVmBox.BOUND)).as(box.log()).isEqualTo(3);
        assertThat(carlos.err()).isEqualTo("err\n");
        List<String> lines = carlos.out().lines().toList();
        assertThat(lines).hasSize(4).startsWith("a,1", "b,2", "1000");
        assertThat(lines.getLast())
                .isNotEqualTo(Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                        .strip());
        assertThat(box.data().resolve("kept")).hasContent("kept\n");
        assertThat(Files.getOwner(box.data().resolve("kept"))).isEqualTo(Files.getOwner(directory));
    }

    @Test
    void aCommandThatIsKilledEndsByItsSignal() throws Exception {
        CarlosProcess carlos = box.run("--", "sh", "-c", "kill -KILL $$");

        assertThat(carlos.awaitExit(MicroVmBox.BOUND)).as(box.log()).isEqualTo(128 + 9);
    }

    @Test
    void aMachineThatIsKilledInterruptsItsRunAndSaysWhy() throws Exception {
        CarlosProcess carlos = box.run("--", "sh", "-c", "echo ready; exec sleep 3917");
        carlos.awaitOut("ready", MicroVmBox.BOUND);

        ProcessHandle monitor = box.programs().stream()
                .filter(line -> line.text().contains("qemu-system-x86_64"))
                .findFirst()
                .flatMap(line -> ProcessHandle.of(line.pid()))
                .orElseThrow();
        monitor.destroyForcibly();

        assertThat(carlos.awaitExit(MicroVmBox.BOUND)).as(box.log()).isEqualTo(76);
        assertThat(carlos.out()).isEqualTo("ready\n");
        assertThat(carlos.err()).contains("the run was interrupted", "the container ended under the command");
        assertThat(box.log()).contains("qemu was killed by signal 9 while the machine ran");
    }
}

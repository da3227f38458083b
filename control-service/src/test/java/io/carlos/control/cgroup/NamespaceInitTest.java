package io.carlos.control.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.control.testing.Await;
import io.carlos.control.testing.FileBox;
import io.carlos.model.linux.RootLane;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes in a pid namespace of their own, listed in a file as the kernel lists a control group's. */
@Timeout(60)
class NamespaceInitTest {
    private static final UnitName UNIT = UnitName.of(Role.CMD, Host.of("a.example.com"));

    /** The first process has a child; each of them says which signal it got. */
    private static final String COMMAND = "trap 'echo init; exit 3' TERM;"
            + " (trap 'echo child; exit 0' TERM; echo up; while :; do sleep 0.1; done) & while :; do wait; done";

    @TempDir
    private Path directory;

    private FileBox box;
    private NamespaceInit init;

    @BeforeEach
    void make() {
        box = new FileBox(directory);
        init = new NamespaceInit(box.cgroupRoot());
    }

    private void list(List<Long> pids) throws IOException {
        StringBuilder lines = new StringBuilder();
        pids.forEach(pid -> lines.append(pid).append('\n'));
        box.populate(UNIT);
        Files.writeString(box.cgroupRoot().resolve(UNIT.cgroupPath()).resolve("cgroup.procs"), lines);
    }

    @Test
    void theFirstProcessOfTheNamespaceIsAskedToEndAndNobodyElse() throws Exception {
        RootLane.require("make a pid namespace");
        Path output = directory.resolve("output");
        Process unshare = new ProcessBuilder("unshare", "--pid", "--fork", "--kill-child", "sh", "-c", COMMAND)
                .redirectOutput(output.toFile())
                .start();
        try {
            Await.until("all are there", () -> Files.readString(output).equals("up\n"));
            // unshare itself stands outside of the namespace; it is listed first, as a main process may be.
            list(Stream.concat(Stream.of(unshare.toHandle()), unshare.descendants())
                    .map(ProcessHandle::pid)
                    .toList());

            assertThat(init.terminate(UNIT)).isTrue();

            Await.until("the first process has ended", () -> !unshare.isAlive());
            assertThat(unshare.exitValue()).isEqualTo(3);
            assertThat(output).content().isEqualTo("up\ninit\n");
        } finally {
            unshare.destroyForcibly();
        }
    }

    @Test
    void processesWithoutANamespaceOfTheirOwnAreLeftAlone() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        try {
            list(List.of(process.pid()));

            assertThat(init.terminate(UNIT)).isFalse();
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aProcessThatHasEndedAndAGroupThatIsGoneAreNobody() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        Await.until("it is reaped", () -> ProcessHandle.of(process.pid()).isEmpty());
        list(List.of(process.pid()));

        assertThat(init.terminate(UNIT)).isFalse();
        Files.delete(box.cgroupRoot().resolve(UNIT.cgroupPath()).resolve("cgroup.procs"));
        assertThat(init.terminate(UNIT)).isFalse();
    }
}

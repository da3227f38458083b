package io.carlos.cli.vm;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import io.carlos.cli.agent.AgentProcess;
import io.carlos.model.testing.GuestCache;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real command line, the real agent and a real virtual machine. */
@Timeout(1200)
class MicroVmExecIT {
    /** An emulated machine takes minutes on a busy one. */
    private static final Duration BOOT_BOUND = Duration.ofMinutes(10);

    @Test
    void aTerminalInAMachineIsOneAndItsWorkspaceIsTheDirectory(@TempDir Path directory) throws Exception {
        GuestCache cache = GuestCache.require();
        Path workspace = Files.createDirectory(directory.resolve("workspace"));
        AgentProcess agent = AgentProcess.start(
                directory,
                "--carlos.agent.isolations=microvm",
                "--carlos.agent.microvm.image=" + cache.image(),
                "--carlos.agent.microvm.tools=" + cache.tools(),
                "--carlos.agent.microvm.accelerator=" + (GuestCache.mustEmulate() ? "tcg" : "kvm"),
                "--carlos.agent.microvm.boot-budget=" + BOOT_BOUND.toMinutes() + "m");
        try {
            String socket = agent.socket().toString();
            CarlosProcess created = CarlosProcess.run(
                    directory, "vm", "create", "m", "--workspace", workspace.toString(), "--socket", socket);
            assertThat(created.exit()).as(created.err()).isZero();
            CarlosProcess start = CarlosProcess.start(directory, "vm", "start", "m", "--socket", socket);
            assertThat(start.awaitExit(BOOT_BOUND))
                    .as(start.err() + agent.log())
                    .isZero();

            String shown = onTerminal(
                    directory,
                    "stty rows 33 cols 101; CARLOS_NO_BUILD=1 " + CarlosProcess.SCRIPT + " vm exec -it m --socket "
                            + socket
                            + " --workdir /workspace -- sh -c 'test -t 0 && stty size; id -u; echo kept >kept; exit 4'"
                            + "; echo code $?");

            assertThat(shown.replace("\r", "")).isEqualTo("33 101\n1000\ncode 4\n");
            assertThat(workspace.resolve("kept")).hasContent("kept\n");
            assertThat(CarlosProcess.run(directory, "vm", "rm", "m", "--socket", socket)
                            .exit())
                    .isZero();
        } finally {
            agent.stop();
        }
        assertThat(directory.resolve("run/agent/microvm")).isEmptyDirectory();
    }

    private static String onTerminal(Path directory, String text) throws Exception {
        Process script = new ProcessBuilder("script", "-qefc", text, "/dev/null")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String shown = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor(BOOT_BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return shown;
    }
}

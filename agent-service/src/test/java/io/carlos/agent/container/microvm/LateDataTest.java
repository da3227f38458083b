package io.carlos.agent.container.microvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LateDataTest {
    @TempDir
    private Path directory;

    /** Its sandbox is one more namespace of mounts, which hands nothing back. */
    @Test
    void programInASandboxOfItsOwnSeesWhatIsGivenLater() throws Exception {
        Path workspace = Files.createDirectory(directory.resolve("workspace"));
        Path data = Files.createDirectory(directory.resolve("some data"));
        Files.writeString(data.resolve("file"), "given\n");
        String look = "echo ready; until cat " + workspace + "/data/file 2>/dev/null; do sleep 0.05; done";
        // The last word of what is prepared is an option of virtiofsd, and here the shell's own name.
        ProgramSpec program = new ProgramSpec(
                "looks",
                List.of("unshare", "--mount", "--propagation", "slave", "/bin/sh", "-c", look),
                Optional.empty());

        Process holder =
                new ProcessBuilder(LateData.prepared(program, workspace).argv()).start();
        try (var output = holder.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("ready");
            Process gift = new ProcessBuilder(LateData.gift(Math.toIntExact(holder.pid()), workspace, data)
                            .argv())
                    .inheritIO()
                    .start();

            assertThat(gift.waitFor()).isZero();
            assertThat(output.readLine()).isEqualTo("given");
            assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(workspace).isEmptyDirectory();
        } finally {
            holder.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"head -c 128k /dev/zero >big", "for i in $(seq 20); do mkdir $i || exit 1; done"})
    void workspaceHoldsNothingBesideItsDataAndThisMachineSeesNoneOfIt(String fill) throws Exception {
        Path workspace = Files.createDirectory(directory.resolve("workspace"));
        ProgramSpec program = new ProgramSpec(
                "fills", List.of("/bin/sh", "-c", "cd " + workspace + " && ls && " + fill), Optional.empty());

        Process filling = new ProcessBuilder(
                        LateData.prepared(program, workspace).argv())
                .redirectErrorStream(true)
                .start();

        try (var output = filling.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readAllAsString()).startsWith("data\n").contains("No space left on device");
            assertThat(filling.waitFor()).isNotZero();
            assertThat(workspace).isEmptyDirectory();
        } finally {
            filling.destroyForcibly();
        }
    }
}

package io.carlos.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.cli.CarlosProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code carlos run} on a box that keeps a virtual machine booted. */
@Timeout(1200)
class WarmMicroVmRunIT {
    @Test
    void aRunTakesTheMachineThatWaitsAndHasItsDataInIt(@TempDir Path directory) throws Exception {
        MicroVmBox box = MicroVmBox.start(directory, "--carlos.agent.microvm.warm.size=1");
        try {
            CarlosProcess.await(
                    "a machine that waits", MicroVmBox.BOUND, () -> box.log().contains("(warm-1): ready"));
            Files.writeString(directory.resolve("rows.csv"), "a,1\n");

            CarlosProcess carlos = box.run(
                    "--file",
                    "rows.csv",
                    "--",
                    "sh",
                    "-c",
                    "cat \"$CARLOS_RUN_DIR/rows.csv\"; echo \"$CARLOS_DATA_DIR\"; ls -A /workspace;"
                            + " echo kept >\"$CARLOS_DATA_DIR/kept\"; stat -c %u \"$CARLOS_DATA_DIR/kept\"");

            assertThat(carlos.awaitExit(MicroVmBox.BOUND)).as(box.log()).isZero();
            assertThat(carlos.out()).isEqualTo("a,1\n/workspace/data\ndata\n1000\n");
            assertThat(box.data().resolve("kept")).hasContent("kept\n");
            assertThat(box.log()).contains("(warm-1): stopped").doesNotContain("(run_");
        } finally {
            box.stop();
        }
        assertThat(box.sessions()).isEmptyDirectory();
        assertThat(box.programs()).isEmpty();
        assertThat(box.data().resolve("kept")).exists();
    }
}

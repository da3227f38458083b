package io.carlos.guest.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.guest.namespace.NativeProgram.Ended;
import io.carlos.guest.namespace.calls.TemporaryBox;
import io.carlos.model.files.ExitRecord;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs of the compiled program, in each form that it is compiled to. */
class NamespaceProgramIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {NativeProgram.SHIPPED, NativeProgram.CHECKED})
    void instanceExitWritesWhatTheEnvironmentSays(String form) throws Exception {
        TemporaryBox box = new TemporaryBox(directory);

        Ended ended = new NativeProgram(form, box).run("instance-exit", "run", "bill.example.com");

        assertThat(ended.status()).isZero();
        Path file = box.run().resolve("exit.run." + TemporaryBox.INVOCATION + ".json");
        assertThat(ExitRecord.read(Files.readAllBytes(file)).status()).isEqualTo("7");
    }

    @ParameterizedTest
    @ValueSource(strings = {NativeProgram.SHIPPED, NativeProgram.CHECKED})
    void instanceProbeSucceedsWithAReportThatSaysThatThisMachineIsNoNamespace(String form) throws Exception {
        Ended ended = new NativeProgram(form, new TemporaryBox(directory)).run("instance-probe");

        ProbeReport report = ProbeReport.read(ended.output().getBytes(StandardCharsets.UTF_8));
        assertThat(ended.status()).isZero();
        assertThat(ended.errors()).isEmpty();
        assertThat(report.ready()).isFalse();
        assertThat(report.lines()).hasSize(25);
        assertThat(report.lines())
                .filteredOn(line -> line.check().equals("pid1"))
                .extracting(ProbeLine::verdict)
                .containsExactly(ProbeLine.Verdict.FAIL);
    }

    @ParameterizedTest
    @ValueSource(strings = {NativeProgram.SHIPPED, NativeProgram.CHECKED})
    void anyOtherVerbNamesTheProgramThatIsNotInstalled(String form) throws Exception {
        Ended ended = new NativeProgram(form, new TemporaryBox(directory)).run("runs", "list");

        assertThat(ended.status()).isEqualTo(127);
        assertThat(ended.errors())
                .containsExactly("carlos: execute /usr/share/carlos/bin/carlos: No such file or directory (errno 2)");
    }
}

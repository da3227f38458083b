package io.carlos.deploy.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.deploy.box.BoxReport.Line;
import io.carlos.deploy.box.BoxReport.Verdict;
import io.carlos.model.json.InvalidDocumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoxReportTest {
    private static final Line PASSED = new Line("a: b", Verdict.PASSED, 12, "");
    private static final Line FAILED = new Line("a: c", Verdict.FAILED, 1, "expected \"x\"\n\tat é");
    private static final Line COMPLETE = new Line("", Verdict.COMPLETE, 0, "");

    @TempDir
    private Path directory;

    @Test
    void whatWasAppendedIsRead() throws IOException {
        BoxReport.append(directory, PASSED);
        BoxReport.append(directory, FAILED);
        BoxReport.append(directory, COMPLETE);

        assertThat(BoxReport.read(directory)).containsExactly(PASSED, FAILED);
    }

    @Test
    void aReportWithoutItsLastLineIsRefusedAndSaysHowFarItCame() throws IOException {
        BoxReport.append(directory, PASSED);
        BoxReport.append(directory, FAILED);

        assertThatThrownBy(() -> BoxReport.read(directory))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("a: b");
    }

    @Test
    void aReportOfNoTestIsRefused() throws IOException {
        BoxReport.append(directory, COMPLETE);

        assertThatThrownBy(() -> BoxReport.read(directory)).hasMessageContaining("no test");
    }

    @Test
    void anEmptyReportIsRefused() throws IOException {
        Files.createFile(directory.resolve(BoxReport.FILE_NAME));

        assertThatThrownBy(() -> BoxReport.read(directory)).isInstanceOf(InvalidDocumentException.class);
    }
}

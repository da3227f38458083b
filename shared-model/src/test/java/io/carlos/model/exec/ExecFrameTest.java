package io.carlos.model.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.json.CarlosJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Frames as bytes, and what is no frame. */
class ExecFrameTest {
    @Test
    void aFrameIsItsCodeItsLengthAndItsBytes() throws Exception {
        assertThat(bytes(new ExecFrame(FrameType.STDERR, new byte[] {7, 8}))).containsExactly(2, 0, 0, 0, 2, 7, 8);
        assertThat(bytes(ExecFrame.of(FrameType.END_OF_STDIN))).containsExactly(3, 0, 0, 0, 0);
        assertThat(bytes(ExecFrame.taken(0x10203))).containsExactly(4, 0, 0, 0, 4, 0, 1, 2, 3);
    }

    @Test
    void whatWasWrittenIsReadOneAfterTheOther() throws Exception {
        byte[] largest = new byte[ExecFrame.MAX_DATA];
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        for (FrameType type : FrameType.values()) {
            ExecFrame.of(type).writeTo(written);
        }
        new ExecFrame(FrameType.STDOUT, largest).writeTo(written);
        InputStream in = new ByteArrayInputStream(written.toByteArray());

        for (FrameType type : FrameType.values()) {
            assertThat(ExecFrame.readFrom(in).orElseThrow().type()).isEqualTo(type);
        }
        assertThat(ExecFrame.readFrom(in).orElseThrow().payload()).isEqualTo(largest);
        assertThat(ExecFrame.readFrom(in)).isEmpty();
    }

    @Test
    void aStreamThatEndsInAFrameHasFailed() {
        assertThatThrownBy(() -> read(1, 0, 0, 0)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> read(1, 0, 0, 0, 3, 9, 9))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("2 of 3 bytes");
    }

    @Test
    void aTypeThatThereIsNotIsRefused() {
        assertThatThrownBy(() -> read(9, 0, 0, 0, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("type 9");
    }

    @Test
    void aLengthOverTheLimitIsRefusedBeforeItIsRead() {
        assertThatThrownBy(() -> read(0, 0, 0, 0x80, 1)).hasMessageContaining("32769 bytes: expected at most 32768");
        assertThatThrownBy(() -> read(5, 0, 0, 0, 1)).hasMessageContaining("TERMINATE");
        assertThatThrownBy(() -> read(7, 0xff, 0, 0, 0)).hasMessageContaining("COMMAND");
    }

    @Test
    void aNumberOfBytesThatWereTakenIsWithinTheWindow() throws Exception {
        assertThat(ExecFrame.taken(77).taken()).isEqualTo(77);
        assertThatThrownBy(() -> ExecFrame.taken(ExecFrame.STDIN_WINDOW + 1).taken())
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ExecFrame.of(FrameType.STDIN_TAKEN).taken()).isInstanceOf(IOException.class);
    }

    @Test
    void aCommandAndAnEndKeepWhatTheySayAndLeaveOutNothing() {
        ExecCommand command = new ExecCommand(
                List.of("sh", "-c", "é\n"), Map.of("A", "b"), 1000, "/workspace", new TerminalSize(24, 80));

        assertThat(text(command))
                .isEqualTo(
                        "{\"argv\":[\"sh\",\"-c\",\"é\\n\"],\"env\":{\"A\":\"b\"},\"uid\":1000,\"workdir\":\"/workspace\","
                                + "\"terminal\":{\"rows\":24,\"columns\":80}}");
        assertThat(CarlosJson.read("command", CarlosJson.write(command), ExecCommand.class))
                .isEqualTo(command);
        assertThat(CarlosJson.read("end", CarlosJson.write(ExecEnd.killed(9)), ExecEnd.class))
                .isEqualTo(ExecEnd.killed(9));
    }

    @Test
    void aTerminalOfNoSizeIsRefused() {
        assertThatThrownBy(() -> new TerminalSize(0, 80)).hasMessageContaining("0 rows");
        assertThatThrownBy(() -> new TerminalSize(24, 10_000)).hasMessageContaining("10000 columns");
    }

    private static String text(Object value) {
        return new String(CarlosJson.write(value), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ExecFrame frame) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        frame.writeTo(out);
        return out.toByteArray();
    }

    private static void read(int... bytes) throws IOException {
        byte[] content = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            content[i] = (byte) bytes[i];
        }
        ExecFrame.readFrom(new ByteArrayInputStream(content));
    }
}

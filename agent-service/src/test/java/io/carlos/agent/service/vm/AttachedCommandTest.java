package io.carlos.agent.service.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.ChildHandle;
import io.carlos.agent.container.StreamingExec;
import io.carlos.model.exec.ExecFrame;
import io.carlos.model.exec.FrameType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a request may say of its command's input. */
@Timeout(60)
class AttachedCommandTest {
    private final ByteArrayOutputStream request = new ByteArrayOutputStream();

    private AttachedCommand command(StreamingExec exec) {
        return new AttachedCommand(exec, new ByteArrayInputStream(request.toByteArray()));
    }

    private static StreamingExec exec(OutputStream stdin) {
        return new StreamingExec(stdin, InputStream.nullInputStream(), InputStream.nullInputStream(), new Child());
    }

    @Test
    void moreInputThanTheWindowBreaksTheRequestOff() throws Exception {
        for (int sent = 0; sent <= ExecFrame.STDIN_WINDOW; sent += ExecFrame.MAX_DATA) {
            new ExecFrame(FrameType.STDIN, new byte[ExecFrame.MAX_DATA]).writeTo(request);
        }
        assertThatThrownBy(() -> command(exec(OutputStream.nullOutputStream())).readRequest())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more input than the command has taken");
    }

    @Test
    void inputWithinTheWindowIsTaken() throws Exception {
        for (int sent = 0; sent < ExecFrame.STDIN_WINDOW; sent += ExecFrame.MAX_DATA) {
            new ExecFrame(FrameType.STDIN, new byte[ExecFrame.MAX_DATA]).writeTo(request);
        }
        AttachedCommand command = command(exec(OutputStream.nullOutputStream()));
        command.readRequest();
        assertThat(request.size()).isGreaterThanOrEqualTo(ExecFrame.STDIN_WINDOW);
    }

    /** One that has ended well by itself. */
    private static final class Child implements ChildHandle {
        @Override
        public void kill() {}

        @Override
        public void terminate() {}

        @Override
        public int waitFor() {
            return 0;
        }
    }
}

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
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    @Test
    void inputBehindItsEndBreaksTheRequestOff() throws Exception {
        for (FrameType more : List.of(FrameType.STDIN, FrameType.END_OF_STDIN)) {
            request.reset();
            ExecFrame.of(FrameType.END_OF_STDIN).writeTo(request);
            ExecFrame.of(more).writeTo(request);
            assertThatThrownBy(
                            () -> command(exec(OutputStream.nullOutputStream())).readRequest())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(more + " after the end of its input");
        }
    }

    @Test
    void endOfTheInputIsToldTheCommand() throws Exception {
        new ExecFrame(FrameType.STDIN, new byte[5]).writeTo(request);
        ExecFrame.of(FrameType.END_OF_STDIN).writeTo(request);
        RecordingInput stdin = new RecordingInput();
        run(command(exec(stdin)));
        assertThat(stdin.isClosedAfterItsLastWrite()).isTrue();
    }

    @Test
    void requestThatBreaksOffIsNotToldTheCommandAsTheEndOfItsInput() throws Exception {
        new ExecFrame(FrameType.STDIN, new byte[5]).writeTo(request);
        RecordingInput stdin = new RecordingInput();
        run(command(exec(stdin)));
        assertThat(stdin.isClosedAfterItsLastWrite()).isFalse();
    }

    private static void run(AttachedCommand command) throws Exception {
        command.readRequest();
        command.writeAnswer(OutputStream.nullOutputStream());
    }

    /** Knows who writes to it. */
    private static final class RecordingInput extends OutputStream {
        private final CompletableFuture<Thread> writer = new CompletableFuture<>();
        private volatile boolean closed;

        @Override
        public void write(int any) {
            writer.complete(Thread.currentThread());
        }

        @Override
        public void close() {
            closed = true;
        }

        /** Waits until whoever has written is through. */
        boolean isClosedAfterItsLastWrite() throws Exception {
            writer.get().join();
            return closed;
        }
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

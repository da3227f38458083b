package io.carlos.agent.launch.container;

import io.carlos.agent.container.ChildHandle;
import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.agent.container.StreamingExec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** A command that prints and ends when it is told, and is deaf to signals. */
final class ScriptedExec implements ChildHandle {
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private final CountDownLatch killed = new CountDownLatch(1);
    private final Output stdout = new Output();
    private final Output stderr = new Output();

    /** Blocks its reader until there is something, or the end. */
    private static final class Output extends InputStream {
        private static final int END = -1;

        private final BlockingQueue<Integer> bytes = new LinkedBlockingQueue<>();

        @Override
        public int read() throws IOException {
            try {
                int next = bytes.take();
                if (next == END) {
                    bytes.add(END);
                }
                return next;
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public int read(byte[] buffer, int start, int length) throws IOException {
            int next = read();
            if (next == END) {
                return END;
            }
            buffer[start] = (byte) next;
            return 1;
        }
    }

    StreamingExec attached() {
        return new StreamingExec(OutputStream.nullOutputStream(), stdout, stderr, this);
    }

    void print(String text) {
        text.chars().forEach(stdout.bytes::add);
    }

    void endStreams() {
        stdout.bytes.add(Output.END);
        stderr.bytes.add(Output.END);
    }

    void exit(int status) {
        ended.complete(status);
    }

    /** What becomes of it when its container is stopped. */
    void lose() {
        ended.completeExceptionally(new CommandException(CommandException.Reason.TRANSPORT, "it was stopped", null));
        endStreams();
    }

    void awaitKill() throws InterruptedException {
        killed.await();
    }

    @Override
    public void kill() {
        killed.countDown();
    }

    @Override
    public void terminate() {}

    @Override
    public int waitFor() throws ExitStatusException, CommandException, InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException e) {
            throw new CommandException(CommandException.Reason.TRANSPORT, "lost", e);
        }
    }
}

package io.carlos.agent.service.vm;

import io.carlos.agent.container.CommandException;
import io.carlos.agent.container.ExitStatusException;
import io.carlos.agent.container.StreamingExec;
import io.carlos.model.exec.ExecEnd;
import io.carlos.model.exec.ExecFrame;
import io.carlos.model.exec.FrameType;
import io.carlos.model.json.CarlosJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running command between the two bodies of its request. One thread reads the request, whatever the command does, so that
 * the end of the connection is noticed at once; others carry input and output, and wait with whoever is slow.
 *
 * <p>No thread is ever interrupted: all of them end with the command.
 */
final class AttachedCommand {
    private static final Logger log = LoggerFactory.getLogger(AttachedCommand.class);

    private static final byte[] END_OF_INPUT = new byte[0];

    /** The request is over and did not say that its input is: the command must not take what it has for all. */
    private static final byte[] BROKEN_OFF = new byte[0];

    private final StreamingExec exec;
    private final InputStream request;
    private final BlockingQueue<byte[]> input = new LinkedBlockingQueue<>();
    private final AtomicInteger untaken = new AtomicInteger();
    private final ReentrantLock answering = new ReentrantLock();
    private volatile @Nullable String violation;

    /** Of the thread that reads the request. */
    private boolean inputEnded;

    /** @param request closed when the command has ended */
    AttachedCommand(StreamingExec exec, InputStream request) {
        this.exec = exec;
        this.request = request;
    }

    /**
     * Does what the request says until it ends, and leaves the command to its caller then, who ends it.
     *
     * @throws IOException the request broke off, or does not keep to the protocol, which the answer's end will tell
     */
    void readRequest() throws IOException {
        try {
            for (Optional<ExecFrame> next = ExecFrame.readFrom(request);
                    next.isPresent();
                    next = ExecFrame.readFrom(request)) {
                obey(next.get());
            }
        } catch (IOException e) {
            violation = e.getMessage();
            throw e;
        } finally {
            input.add(BROKEN_OFF);
        }
    }

    private void obey(ExecFrame frame) throws IOException {
        switch (frame.type()) {
            case STDIN -> take(frame.payload());
            case END_OF_STDIN -> endInput();
            case TERMINATE -> exec.child().terminate();
            case KILL -> exec.child().kill();
            case STDOUT, STDERR, STDIN_TAKEN, COMMAND, END ->
                throw new IOException("the request has a frame " + frame.type() + " where it must not");
        }
    }

    private void endInput() throws IOException {
        expectInput(FrameType.END_OF_STDIN);
        inputEnded = true;
        input.add(END_OF_INPUT);
    }

    private void expectInput(FrameType type) throws IOException {
        if (inputEnded) {
            throw new IOException("the request has a frame " + type + " after the end of its input");
        }
    }

    private void take(byte[] piece) throws IOException {
        expectInput(FrameType.STDIN);
        if (untaken.addAndGet(piece.length) > ExecFrame.STDIN_WINDOW) {
            throw new IOException(
                    "the request has more input than the command has taken and " + ExecFrame.STDIN_WINDOW + " bytes");
        }
        if (piece.length > 0) {
            input.add(piece);
        }
    }

    /** Carries the streams until the command has ended and all of its output is written, and then its end. */
    void writeAnswer(OutputStream answer) throws IOException, InterruptedException {
        try {
            // The head of an answer is sent with its first byte, and the client waits for it.
            send(answer, ExecFrame.taken(0));
            Thread.ofVirtual().name("exec-input").start(() -> carryInput(answer));
            Thread errors = Thread.ofVirtual()
                    .name("exec-stderr")
                    .start(() -> carryOutput(exec.stderr(), FrameType.STDERR, answer));
            carryOutput(exec.stdout(), FrameType.STDOUT, answer);
            errors.join();
            send(answer, new ExecFrame(FrameType.END, CarlosJson.write(end())));
        } finally {
            exec.close();
            input.add(BROKEN_OFF);
            request.close();
        }
    }

    private ExecEnd end() throws InterruptedException {
        try {
            return ExecEnd.exited(exec.child().waitFor());
        } catch (ExitStatusException e) {
            String why = violation;
            return why == null ? ExecEnd.killed(e.signal()) : ExecEnd.failed(why);
        } catch (CommandException e) {
            return ExecEnd.failed(String.valueOf(e.getMessage()));
        }
    }

    private void carryInput(OutputStream answer) {
        try {
            byte[] piece = input.take();
            for (; piece.length > 0; piece = input.take()) {
                exec.stdin().write(piece);
                untaken.addAndGet(-piece.length);
                send(answer, ExecFrame.taken(piece.length));
            }
            if (piece == END_OF_INPUT) {
                exec.stdin().close();
            }
        } catch (IOException e) {
            log.debug("exec: the command reads no more: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void carryOutput(InputStream from, FrameType type, OutputStream answer) {
        byte[] buffer = new byte[ExecFrame.MAX_DATA];
        try {
            for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                send(answer, new ExecFrame(type, Arrays.copyOf(buffer, length)));
            }
        } catch (IOException e) {
            // Either nobody is there to read it, or the command's place is gone, which its end will tell.
            log.debug("exec: output given up: {}", e.getMessage());
            exec.child().kill();
        }
    }

    private void send(OutputStream answer, ExecFrame frame) throws IOException {
        answering.lock();
        try {
            frame.writeTo(answer);
            answer.flush();
        } finally {
            answering.unlock();
        }
    }
}

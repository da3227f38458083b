package io.carlos.cli.vm;

import io.carlos.cli.agent.ExecConnection;
import io.carlos.cli.console.Console;
import io.carlos.cli.console.CtrlC;
import io.carlos.cli.console.OutputException;
import io.carlos.cli.exit.CliException;
import io.carlos.cli.exit.CliExit;
import io.carlos.model.exec.ExecEnd;
import io.carlos.model.exec.ExecFrame;
import io.carlos.model.exec.FrameType;
import io.carlos.model.json.CarlosJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A command of a machine seen from a terminal: its streams are those of this process, and so is its end. */
final class ExecSession {
    private static final int SIGNALLED = 128;

    private final ExecConnection exec;
    private final Console console;
    private final Semaphore window = new Semaphore(ExecFrame.STDIN_WINDOW);
    private volatile @Nullable IOException unreadable;

    ExecSession(ExecConnection exec, Console console) {
        this.exec = exec;
        this.console = console;
    }

    /**
     * Follows the command to its end. Ctrl-C asks it to end, a second one kills it, and a third one leaves it to the agent to
     * kill.
     *
     * @param interactive whether the command gets what this process reads
     * @return the exit code
     */
    int run(boolean interactive) throws IOException {
        AtomicInteger pressed = new AtomicInteger();
        InputStream in = interactive ? console.borrowedIn() : InputStream.nullInputStream();
        // Not awaited: it may wait for somebody to press a key.
        Thread.ofPlatform().daemon().name("exec-stdin").start(() -> feed(in));
        try (in;
                CtrlC _ = CtrlC.handledBy(() -> interrupt(pressed.incrementAndGet()))) {
            return follow();
        } catch (OutputException e) {
            throw e;
        } catch (IOException e) {
            if (pressed.get() > 2) {
                return CliExit.INTERRUPTED.code();
            }
            IOException input = unreadable;
            throw input == null ? broken(e) : unreadable(input);
        }
    }

    private static CliException unreadable(IOException cause) {
        return new CliException(
                CliExit.USAGE,
                "the standard input cannot be read, and the command is killed: " + cause.getMessage()
                        + "; leave out -i, or give it an input",
                cause);
    }

    private static CliException broken(IOException cause) {
        return new CliException(
                CliExit.REFUSED,
                "the agent hung up before the command had ended, and has killed it: " + cause.getMessage()
                        + "; see journalctl -u carlos-edge",
                cause);
    }

    private void interrupt(int times) {
        try {
            switch (times) {
                case 1 -> exec.send(ExecFrame.of(FrameType.TERMINATE));
                case 2 -> exec.send(ExecFrame.of(FrameType.KILL));
                default -> exec.close();
            }
        } catch (IOException e) {
            // Whoever follows the command learns it too.
        }
    }

    private int follow() throws IOException {
        while (true) {
            ExecFrame frame = exec.read().orElseThrow(() -> new IOException("no word about its end"));
            switch (frame.type()) {
                case STDOUT -> console.out().write(frame.payload());
                case STDERR -> console.err().write(frame.payload());
                case STDIN_TAKEN -> window.release(frame.taken());
                case END -> {
                    return exitCode(CarlosJson.read("the command's end", frame.payload(), ExecEnd.class));
                }
                case STDIN, END_OF_STDIN, TERMINATE, KILL, COMMAND ->
                    throw new IOException("it sent a frame " + frame.type());
            }
        }
    }

    private static int exitCode(ExecEnd end) {
        return Optional.ofNullable(end.exit())
                .or(() -> Optional.ofNullable(end.signal()).map(signal -> SIGNALLED + signal))
                .orElseThrow(() -> new CliException(
                        CliExit.REFUSED,
                        "the command was cut off: "
                                + Optional.ofNullable(end.failure()).orElse("nobody knows why")));
    }

    private void giveUp() {
        try {
            exec.close();
        } catch (IOException e) {
            // Whoever follows the command learns it too.
        }
    }

    /** @throws UncheckedIOException there is input, and it cannot be read */
    private static int read(InputStream in, byte[] buffer) {
        try {
            return in.read(buffer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void feed(InputStream in) {
        byte[] buffer = new byte[ExecFrame.MAX_DATA];
        try {
            for (int length = read(in, buffer); length >= 0; length = read(in, buffer)) {
                window.acquire(length);
                exec.send(new ExecFrame(FrameType.STDIN, Arrays.copyOf(buffer, length)));
            }
            exec.send(ExecFrame.of(FrameType.END_OF_STDIN));
        } catch (UncheckedIOException e) {
            unreadable = e.getCause();
            giveUp();
        } catch (IOException e) {
            // The command has ended, or the connection has; whoever follows it knows which.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.carlos.control.unit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One program, run to its end with a list of arguments. It inherits nothing: its environment is a fixed one, its input
 * is empty. It is killed when its time is over or its caller is interrupted. More output than can be kept is an error;
 * of its messages the first part is kept.
 */
final class Program {
    /** Some ten thousand units. */
    private static final int MAX_OUTPUT_BYTES = 1024 * 1024;

    private static final int MAX_MESSAGE_BYTES = 4 * 1024;

    /** A killed program's pipes close at once, unless somebody inherited them. */
    private static final Duration LEFT_OVER = Duration.ofSeconds(2);

    private static final Map<String, String> ENVIRONMENT =
            Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL", "C", "SYSTEMD_COLORS", "0", "SYSTEMD_PAGER", "");

    private final Path file;

    Program(Path file) {
        this.file = file;
    }

    /**
     * @param line the program's name and arguments, for messages
     * @param stderr on one line
     */
    record Ended(String line, int status, String stdout, String stderr) {
        boolean isSuccess() {
            return status == 0;
        }

        SystemdException refusal() {
            return new SystemdException(line + ": exit status " + status + ": "
                    + (stderr.isEmpty() ? "it said nothing about why" : stderr));
        }
    }

    /**
     * Runs a program of whose output only a few messages count, and throws when it does not end with status 0. While it
     * runs nobody reads, since a read would hold a carrier thread as long as the program hangs; so it hangs itself when it
     * writes more messages than a pipe takes, 64 KiB.
     */
    void await(List<String> arguments, Duration timeout) throws SystemdException, InterruptedException {
        String line = line(arguments);
        Process process = start(line, arguments, ProcessBuilder.Redirect.DISCARD);
        try {
            if (!process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new SystemdException(line + ": no answer within " + timeout.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                String messages = get(line, inBackground(process.getErrorStream(), MAX_MESSAGE_BYTES))
                        .text();
                throw new Ended(line, process.exitValue(), "", oneLine(messages)).refusal();
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private String line(List<String> arguments) {
        return file.getFileName() + " " + String.join(" ", arguments);
    }

    /** For a program that answers at once: what it writes is read while it runs. */
    Ended run(List<String> arguments, Duration timeout) throws SystemdException, InterruptedException {
        String line = line(arguments);
        Process process = start(line, arguments, ProcessBuilder.Redirect.PIPE);
        try {
            FutureTask<Kept> stdout = inBackground(process.getInputStream(), MAX_OUTPUT_BYTES);
            FutureTask<Kept> stderr = inBackground(process.getErrorStream(), MAX_MESSAGE_BYTES);
            if (!process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new SystemdException(line + ": no answer within " + timeout.toSeconds() + " s");
            }
            Kept output = get(line, stdout);
            if (output.cut()) {
                throw new SystemdException(line + ": it wrote more than " + MAX_OUTPUT_BYTES + " bytes");
            }
            return new Ended(
                    line,
                    process.exitValue(),
                    output.text(),
                    oneLine(get(line, stderr).text()));
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start(String line, List<String> arguments, ProcessBuilder.Redirect output) throws SystemdException {
        List<String> command = new ArrayList<>();
        command.add(file.toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectInput(new File("/dev/null"));
        builder.redirectOutput(output);
        builder.environment().clear();
        builder.environment().putAll(ENVIRONMENT);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new SystemdException(line + ": cannot be executed: " + e.getMessage(), e);
        }
    }

    private record Kept(String text, boolean cut) {}

    private static FutureTask<Kept> inBackground(InputStream stream, int limit) {
        FutureTask<Kept> reading = new FutureTask<>(() -> read(stream, limit));
        Thread.ofVirtual().name("systemctl-output").start(reading);
        return reading;
    }

    /** Reads to the end, so that the program never waits for room, and keeps no more than the limit. */
    private static Kept read(InputStream stream, int limit) throws IOException {
        try (stream) {
            byte[] kept = stream.readNBytes(limit);
            boolean cut = stream.transferTo(OutputStream.nullOutputStream()) > 0;
            return new Kept(new String(kept, StandardCharsets.UTF_8), cut);
        }
    }

    private static Kept get(String line, FutureTask<Kept> reading) throws SystemdException, InterruptedException {
        try {
            return reading.get(LEFT_OVER.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new SystemdException(line + ": its output cannot be read: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new SystemdException(line + ": it ended, but somebody keeps its output open", e);
        }
    }

    private static String oneLine(String text) {
        StringBuilder line = new StringBuilder();
        text.strip().chars().forEach(c -> line.append(Character.isISOControl(c) ? ' ' : (char) c));
        return line.toString();
    }
}

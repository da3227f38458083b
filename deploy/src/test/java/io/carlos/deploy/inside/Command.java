package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program with its arguments. */
record Command(List<String> words) {
    private static final int BOUND_SECONDS = Lane.times(600, 900);

    /** @param text what it wrote to both streams */
    record Result(int status, String text) {}

    static Command of(String... words) {
        return new Command(List.of(words));
    }

    static Command systemctl(String... arguments) {
        String[] words = new String[arguments.length + 1];
        words[0] = "systemctl";
        System.arraycopy(arguments, 0, words, 1, arguments.length);
        return of(words);
    }

    /** Runs it to its end, however that is. */
    Result run() {
        try {
            Path file = Files.createTempFile("command", ".txt");
            try {
                int status = into(file);
                return new Result(status, Files.readString(file));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it wrote, without the last line's end; it must succeed. */
    String output() {
        Result result = run();
        assertThat(result.status()).as("%s: %s", this, result.text()).isZero();
        return result.text().strip();
    }

    /** Runs it to its end, and its status. */
    int into(Path file) {
        try {
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(file.toFile())
                    .start();
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(this + " did not end within " + BOUND_SECONDS + " seconds");
            }
            return process.exitValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public String toString() {
        return String.join(" ", words);
    }
}

package io.carlos.deploy.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The installed command line, as its user types it: with the box's own store, as the user that the store belongs to. */
final class Carlos {
    static final Path STORE = Path.of("/var/lib/carlos/store");
    private static final int BOUND_SECONDS = 180;
    private static final int MOST_SHOWN = 1024 * 1024;

    private final Process process;
    private final Path out;
    private final Path err;
    private final List<String> words;

    private Carlos(Process process, Path out, Path err, List<String> words) {
        this.process = process;
        this.out = out;
        this.err = err;
        this.words = words;
    }

    /**
     * What a command came to.
     *
     * @param out what it wrote to its standard output, or the beginning of that
     * @param outBytes the length of all of it
     */
    record Ended(int status, String out, long outBytes, String err) {
        /** What it wrote to its standard output, without the last line's end; it must have succeeded. */
        String text() {
            assertThat(status).as("%s%s", out, err).isZero();
            return out.strip();
        }
    }

    static Carlos start(String... arguments) {
        return program(Stream.concat(Stream.of("/usr/bin/carlos"), Stream.of(arguments))
                .toArray(String[]::new));
    }

    /** Another program of the same user's. */
    static Carlos program(String... arguments) {
        List<String> words = new ArrayList<>(List.of("runuser", "-u", "carlos", "--", "env", "CARLOS_STORE=" + STORE));
        words.addAll(List.of(arguments));
        try {
            Path out = Files.createTempFile("carlos", ".out");
            Path err = Files.createTempFile("carlos", ".err");
            Process process = new ProcessBuilder(words)
                    .directory(Path.of("/").toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            return new Carlos(process, out, err, words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Ended run(String... arguments) {
        return start(arguments).await();
    }

    /** Whether anything has come to its standard output yet. */
    boolean hasPrinted() {
        try {
            return Files.size(out) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String beginning(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST_SHOWN), StandardCharsets.UTF_8);
        }
    }

    Ended await() {
        try {
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(words + " did not end within " + BOUND_SECONDS + " seconds; it wrote "
                        + Files.readString(out) + Files.readString(err));
            }
            Ended ended = new Ended(process.exitValue(), beginning(out), Files.size(out), beginning(err));
            Files.delete(out);
            Files.delete(err);
            return ended;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}

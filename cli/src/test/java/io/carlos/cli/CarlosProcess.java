package io.carlos.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The real {@code cli/carlos} as a process of its own session, with its streams in files. */
public final class CarlosProcess {
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final Path NOTHING = Path.of("/dev/null");

    /** What is executed. */
    public static final Path SCRIPT =
            Path.of(System.getProperty("basedir", ".")).resolve("carlos").toAbsolutePath();

    private final Process process;
    private final Path out;
    private final Path err;

    private CarlosProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it in a directory, where its streams go to files as well. */
    public static CarlosProcess start(Path directory, String... arguments) throws IOException {
        return start(directory, Map.of(), NOTHING, arguments);
    }

    /** Starts it with a file as its input. */
    public static CarlosProcess startWithInput(Path directory, Path input, String... arguments) throws IOException {
        return start(directory, Map.of(), input, arguments);
    }

    private static CarlosProcess start(Path directory, Map<String, String> environment, Path input, String... arguments)
            throws IOException {
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        // A group of its own, as a terminal gives to a command, so that a test can kill all of it.
        List<String> command = new ArrayList<>(List.of("setsid", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .redirectInput(input.toFile());
        builder.environment().put("CARLOS_NO_BUILD", "1");
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        builder.environment().putAll(environment);
        return new CarlosProcess(builder.start(), out, err);
    }

    /** Starts it and waits for its end. */
    public static CarlosProcess run(Path directory, String... arguments) throws IOException, InterruptedException {
        return run(directory, Map.of(), arguments);
    }

    /** Starts it with more in its environment and waits for its end. */
    public static CarlosProcess run(Path directory, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        CarlosProcess carlos = start(directory, environment, NOTHING, arguments);
        carlos.awaitExit();
        return carlos;
    }

    public int awaitExit() throws IOException, InterruptedException {
        return awaitExit(BOUND);
    }

    /** @param bound longer where it waits for what takes its time */
    public int awaitExit(Duration bound) throws IOException, InterruptedException {
        if (!process.waitFor(bound.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("carlos did not end within " + bound + "; its output: " + out() + err());
        }
        return process.exitValue();
    }

    public int exit() {
        return process.exitValue();
    }

    public byte[] outBytes() throws IOException {
        return Files.readAllBytes(out);
    }

    public byte[] errBytes() throws IOException {
        return Files.readAllBytes(err);
    }

    public String out() throws IOException {
        return new String(outBytes(), StandardCharsets.UTF_8);
    }

    public String err() throws IOException {
        return new String(errBytes(), StandardCharsets.UTF_8);
    }

    public void awaitOut(String text) throws InterruptedException {
        await("\"" + text + "\" on stdout", () -> contains(out, text));
    }

    /** @param bound longer where it waits for what takes its time */
    public void awaitOut(String text, Duration bound) throws InterruptedException {
        await("\"" + text + "\" on stdout", bound, () -> contains(out, text));
    }

    public void awaitErr(String text) throws InterruptedException {
        await("\"" + text + "\" on stderr", () -> contains(err, text));
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file).contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    /** Sends a signal to the process alone: its child commands are in sessions of their own. */
    public void signal(String name) throws IOException, InterruptedException {
        kill("-" + name, Long.toString(process.pid()));
    }

    /** kill -9 of the whole process group. */
    public void killGroup() throws IOException, InterruptedException {
        kill("-KILL", "--", "-" + process.pid());
        assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private static void kill(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    /** Waits for what another process does, with a bound. */
    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        await(what, BOUND, condition);
    }

    /** @param bound longer where it waits for what takes its time */
    public static void await(String what, Duration bound, BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > until) {
                fail("not within " + bound + ": " + what);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}

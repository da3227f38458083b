package io.carlos.guest.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.carlos.guest.namespace.calls.TemporaryBox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;

/**
 * The compiled program. Tests of it are skipped where it was not built; with {@code CARLOS_REQUIRE_NATIVE=1} in the
 * environment they fail instead.
 */
public final class NativeProgram {
    /** As it is shipped. */
    public static final String SHIPPED = "carlos";

    /** With AddressSanitizer and UndefinedBehaviorSanitizer. */
    public static final String CHECKED = "carlos-checked";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path program;
    private final TemporaryBox box;
    private final List<String> launcher = new ArrayList<>();

    public NativeProgram(String name, TemporaryBox box) {
        this.program = require(name);
        this.box = box;
    }

    /** The program's file, or the test is skipped. */
    public static Path require(String name) {
        Path program = Path.of("target", name).toAbsolutePath();
        if (!Files.exists(program)) {
            skip(program.getFileName() + " was not built");
        }
        return program;
    }

    public Path path() {
        return program;
    }

    /** Has another program execute this one. */
    public NativeProgram through(String... words) {
        launcher.addAll(List.of(words));
        return this;
    }

    /** What a run ended with. */
    public record Ended(int status, String output, List<String> errors) {}

    /** A run that goes on. */
    public final class Running {
        private final Process process;
        private final Path output;
        private final Path errors;

        private Running(Process process, Path output, Path errors) {
            this.process = process;
            this.output = output;
            this.errors = errors;
        }

        public Process process() {
            return process;
        }

        public Running awaitOutput(String text) {
            NativeProgram.await(text, () -> read(output).contains(text));
            return this;
        }

        public Ended await() throws InterruptedException {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                fail("still running after %s: %s %s", PATIENCE, read(output), read(errors));
            }
            return new Ended(
                    process.exitValue(), read(output), read(errors).lines().toList());
        }
    }

    public Running start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(launcher);
        command.add(program.toString());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(box.root(), "output", "");
        Path errors = Files.createTempFile(box.root(), "errors", "");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        environment.put("CARLOS_ROOT", box.root().toString());
        environment.put("INVOCATION_ID", TemporaryBox.INVOCATION.value());
        environment.put("EXIT_STATUS", "7");
        return new Running(builder.start(), output, errors);
    }

    public Ended run(String... arguments) throws IOException, InterruptedException {
        return start(arguments).await();
    }

    /** Runs the launch file of the box. */
    public Running startInstance() throws IOException {
        return start("instance-exec", "run", TemporaryBox.HOST.value());
    }

    public Ended runInstance() throws IOException, InterruptedException {
        return startInstance().await();
    }

    /** Waits for a condition, with a bound. */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time for: " + what).isLessThan(deadline);
            Thread.onSpinWait();
            try {
                TimeUnit.MILLISECONDS.sleep(2);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void skip(String reason) {
        if ("1".equals(System.getenv("CARLOS_REQUIRE_NATIVE"))) {
            fail("CARLOS_REQUIRE_NATIVE is set, but this test cannot run: %s", reason);
        }
        System.out.println("skipped: " + reason);
        Assumptions.abort(reason);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.carlos.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.names.Host;
import io.carlos.model.records.Records;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts real commands behind a backend. */
@Timeout(120)
public abstract class LauncherFixture {
    /** Bounds every wait for something that should come at once. */
    protected static final Duration BOUND = Duration.ofSeconds(60);

    protected static final Duration LONG_GRACE = Duration.ofSeconds(60);
    protected static final Duration SHORT = Duration.ofMillis(100);
    protected static final SecureRandom RANDOM = new SecureRandom();

    private final AtomicInteger hosts = new AtomicInteger();

    @TempDir
    protected Path directory;

    /** @param drainBound how long background processes may hold the output of a command that has ended */
    protected abstract RunLauncher launcher(Duration drainBound);

    /** @param pid a process number as the command saw it */
    protected abstract boolean isAlive(int pid) throws IOException;

    /** How many commands the backend should stand at once. */
    protected abstract int manyRuns();

    /** A started command with what it needed. */
    protected record Running(LaunchedRun run, Path directory, RecordingSink sink) {
        /** Lets it end by itself and settles it. */
        public CommandEnd finish() throws InterruptedException {
            assertThat(run.awaitEnd(BOUND)).as("the command's own end").isPresent();
            return run.stop(LONG_GRACE);
        }
    }

    /** The data directory of an instance, which is there. */
    protected Path dataDirectory(Host host) throws IOException {
        return Files.createDirectories(directory.resolve(host.value()));
    }

    /** A command beside an instance of its own. */
    protected final LaunchRequest request(Map<String, String> environment, String... argv) throws IOException {
        Host host = Host.of("host-" + hosts.incrementAndGet() + ".example.com");
        Path data = dataDirectory(host);
        RunId id = RunId.random(RANDOM);
        Path run = Files.createDirectories(data.resolve(".carlos-run").resolve(id.value()));
        return new LaunchRequest(
                id,
                Records.of(host.value()).ref(),
                Records.of(host.value()).incarnation(),
                List.of(argv),
                environment,
                data,
                run);
    }

    protected final Running start(RunLauncher launcher, LaunchRequest request, RecordingSink sink)
            throws InterruptedException {
        LaunchOutcome outcome = launcher.launch(request, sink);
        assertThat(outcome).isInstanceOf(LaunchOutcome.Started.class);
        return new Running(((LaunchOutcome.Started) outcome).run(), request.runDirectory(), sink);
    }

    protected final Running start(String... argv) throws IOException, InterruptedException {
        return start(launcher(BOUND), request(Map.of(), argv), new RecordingSink());
    }

    protected final Running shell(String script) throws IOException, InterruptedException {
        return start("sh", "-c", script);
    }

    protected final Running shell(Duration drainBound, String script) throws IOException, InterruptedException {
        return start(launcher(drainBound), request(Map.of(), "sh", "-c", script), new RecordingSink());
    }

    protected static int pidIn(Path file) throws IOException {
        return Integer.parseInt(Files.readString(file).strip());
    }

    /** Waits for a condition that nothing signals. */
    protected static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            Thread.sleep(1);
        }
    }
}

package io.carlos.agent.bench;

import io.carlos.agent.container.ContainerId;
import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.model.testing.GuestCache;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** Containers of every technique that runs here, from their creation to their end; prints a table for each. */
public final class ContainerBenchmark {
    private static final int STARTS = 3;
    private static final int EXECS = 300;
    private static final int STREAMS = 5;
    private static final long STREAMED = 64L << 20;
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final Contender contender;

    private ContainerBenchmark(Contender contender) {
        this.contender = contender;
    }

    public static void main(String[] arguments) throws Exception {
        Path work = Files.createTempDirectory("carlos-bench");
        try {
            measure(new ProcessContender(work.resolve("process")));
            Optional<String> missing = GuestCache.missing();
            if (missing.isPresent()) {
                System.out.printf("%nmicroVM: not measured: %s%n", missing.get());
            } else {
                measure(new MicroVmContender(work.resolve("vm")));
            }
            measurePodman(work.resolve("podman"));
        } finally {
            try (Stream<Path> files = Files.walk(work)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static void measurePodman(Path work) throws Exception {
        try {
            measure(new PodmanContender(work));
        } catch (TestAbortedException e) {
            System.out.printf("%npodman: not measured: %s%n", e.getMessage());
        }
    }

    private static void measure(Contender contender) throws Exception {
        System.out.printf("%n%s%n", contender.name());
        try {
            ContainerBenchmark benchmark = new ContainerBenchmark(contender);
            benchmark.starts();
            benchmark.commands();
        } finally {
            contender.end();
        }
    }

    private void starts() throws Exception {
        long[] cold = new long[STARTS];
        long[] stops = new long[STARTS];
        for (int i = 0; i < STARTS; i++) {
            long start = System.nanoTime();
            ContainerId id = started("cold-" + i);
            contender.runtime().exec(id, ExecSpec.of("true"));
            cold[i] = System.nanoTime() - start;
            long stop = System.nanoTime();
            contender.runtime().stop(id, GRACE);
            stops[i] = System.nanoTime() - stop;
            contender.runtime().remove(id);
        }
        row("create → first command ended, cold", seconds(cold));
        long[] warm = new long[STARTS];
        for (int i = 0; i < STARTS; i++) {
            OptionalLong nanos = contender.nanosOfWarmStart();
            if (nanos.isEmpty()) {
                warm = new long[0];
                break;
            }
            warm[i] = nanos.getAsLong();
        }
        if (warm.length > 0) {
            row("given from a warm pool → first command ended", seconds(warm));
        }
        row("stop → ended", seconds(stops));
    }

    private ContainerId started(String name) throws Exception {
        ContainerId id = contender.runtime().create(contender.spec(name));
        contender.runtime().start(id);
        return id;
    }

    private void commands() throws Exception {
        ContainerId id = started("commands");
        memory("after the start", id);
        execs(id);
        streams(id);
        memory("after the commands", id);
        String peak = output(id, "grep VmHWM /proc/1/status").replaceAll("\\D", "");
        row("process 1 in it, resident at most", Long.parseLong(peak) / 1000 + " MB");
        contender.runtime().remove(id);
    }

    private String output(ContainerId id, String script) throws IOException, InterruptedException {
        byte[] stdout =
                contender.runtime().exec(id, ExecSpec.of("sh", "-c", script)).stdout();
        return new String(stdout, StandardCharsets.UTF_8);
    }

    /** The first tenth warms up. */
    private void execs(ContainerId id) throws Exception {
        long[] nanos = new long[EXECS];
        for (int i = -EXECS / 10; i < EXECS; i++) {
            long start = System.nanoTime();
            contender.runtime().exec(id, ExecSpec.of("true"));
            nanos[Math.max(i, 0)] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        row(
                "exec of true, p50 / p99 of " + EXECS,
                "%.1f ms / %.1f ms".formatted(nanos[EXECS / 2] / 1e6, nanos[EXECS * 99 / 100] / 1e6));
    }

    private void streams(ContainerId id) throws Exception {
        long[] nanos = new long[STREAMS];
        for (int i = 0; i < STREAMS; i++) {
            long start = System.nanoTime();
            try (StreamingExec exec = contender
                    .runtime()
                    .execStreaming(id, StreamingExecSpec.of("head", "-c", Long.toString(STREAMED), "/dev/zero"))) {
                long received = exec.stdout().transferTo(OutputStream.nullOutputStream());
                if (received != STREAMED) {
                    throw new IllegalStateException("received " + received + " of " + STREAMED + " bytes");
                }
                exec.child().waitFor();
            }
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        row(
                "stream of 64 MiB out of it, median of " + STREAMS,
                "%.0f MB/s".formatted(STREAMED / 1e6 / (nanos[STREAMS / 2] / 1e9)));
    }

    private void memory(String when, ContainerId id) throws IOException {
        for (Map.Entry<String, Integer> part : contender.parts(id).entrySet()) {
            row(
                    part.getKey() + ", resident " + when,
                    ResidentMemory.ofSession(part.getValue()).toString());
        }
    }

    private static String seconds(long[] nanos) {
        Arrays.sort(nanos);
        return "%.2f s (%.2f to %.2f s)"
                .formatted(nanos[nanos.length / 2] / 1e9, nanos[0] / 1e9, nanos[nanos.length - 1] / 1e9);
    }

    private static void row(String what, String measured) {
        System.out.printf("%-56s %s%n", what, measured);
    }
}

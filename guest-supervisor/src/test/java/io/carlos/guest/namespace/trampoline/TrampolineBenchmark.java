package io.carlos.guest.namespace.trampoline;

import io.carlos.guest.namespace.NativeProgram;
import io.carlos.guest.namespace.calls.TemporaryBox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What running {@code /bin/true} through the trampoline costs against running it alone, each by fork, exec and wait of
 * another program in turns, and how large the trampoline is.
 */
public final class TrampolineBenchmark {
    private static final int ROUNDS = 51;
    private static final int RUNS = 20;
    private static final String LOOP = "for (1.." + RUNS + ") { system { $ARGV[0] } @ARGV and die $? }";

    private TrampolineBenchmark() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path program = Path.of("target", NativeProgram.SHIPPED).toAbsolutePath();
        if (!Files.exists(program)) {
            System.out.println("trampoline: not measured: the native program was not built");
            return;
        }
        Path directory = Files.createTempDirectory("carlos-benchmark");
        TemporaryBox box = new TemporaryBox(directory).install("/bin/true").launch();
        double[] alone = new double[ROUNDS];
        double[] through = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            alone[round] = microsPerRun(box, "/bin/true");
            through[round] = microsPerRun(box, program.toString(), "instance-exec", "run", TemporaryBox.HOST.value());
        }
        Arrays.sort(alone);
        Arrays.sort(through);
        double plain = alone[ROUNDS / 2];
        double trampoline = through[ROUNDS / 2];
        System.out.printf("%-40s %10s %10s %8s%n", "/bin/true, median of " + ROUNDS, "alone", "through", "ratio");
        System.out.printf("%-40s %7.0f µs %7.0f µs %8.2f%n", "wall", plain, trampoline, trampoline / plain);
        System.out.printf("%-40s %10s %6d KiB%n", "program", "", Files.size(program) / 1024);
    }

    private static double microsPerRun(TemporaryBox box, String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("perl", "-e", LOOP));
        words.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
        builder.environment()
                .putAll(Map.of("CARLOS_ROOT", box.root().toString(), "INVOCATION_ID", TemporaryBox.INVOCATION.value()));
        long start = System.nanoTime();
        if (builder.start().waitFor() != 0) {
            throw new IllegalStateException("failed: " + words);
        }
        return (System.nanoTime() - start) / 1e3 / RUNS;
    }
}

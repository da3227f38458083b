package io.carlos.agent.bench;

import io.carlos.agent.container.ExecSpec;
import io.carlos.agent.container.StreamingExec;
import io.carlos.agent.container.StreamingExecSpec;
import io.carlos.agent.guest.GuestAddress;
import io.carlos.agent.guest.GuestClient;
import io.carlos.model.testing.SupervisorProcess;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The guest's supervisor as a process of this machine, behind its unix socket, against its bars; prints one table. What
 * is compared takes turns, and a row tells the medians.
 */
public final class GuestBenchmark {
    private static final long STREAMED = 1L << 30;
    private static final int STREAMS = 7;
    private static final int EXECS = 400;
    private static final int STARTS = 5;
    private static final double TICKS_PER_SECOND = 100;

    /** Those of the supervisor. */
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss256k");

    private final Path work;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final List<String[]> rows = new ArrayList<>();

    private GuestBenchmark(Path work) {
        this.work = work;
    }

    public static void main(String[] arguments) throws Exception {
        Path work = Files.createTempDirectory("carlos-guest-benchmark");
        GuestBenchmark benchmark = new GuestBenchmark(work);
        try {
            Path built = Path.of("../guest-supervisor/target").toAbsolutePath().normalize();
            benchmark.commands(built.resolve("carlos"));
            benchmark.starts(built.resolve("app"));
            benchmark.print();
        } finally {
            benchmark.loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
            try (Stream<Path> files = Files.walk(work)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private void commands(Path nativeProgram) throws Exception {
        if (Files.exists(nativeProgram)) {
            String setting = "--carlos.guest.native-program=" + nativeProgram;
            try (SupervisorProcess supervisor = SupervisorProcess.start(work, setting);
                    GuestClient client = GuestClient.of(new GuestAddress.UnixSocket(supervisor.socket()), loop)) {
                client.provision(SupervisorProcess.UID, Map.of("PATH", "/usr/bin:/bin"));
                exec(client, "exec of /bin/true against ProcessBuilder");
            }
        } else {
            row("exec by the native program", "not measured: " + nativeProgram + " was not built", "");
        }
        try (SupervisorProcess supervisor = SupervisorProcess.start(work);
                SocketSender sender = SocketSender.start(work, STREAMED, OPTIONS);
                GuestClient client = GuestClient.of(new GuestAddress.UnixSocket(supervisor.socket()), loop)) {
            client.provision(SupervisorProcess.UID, Map.of("PATH", "/usr/bin:/bin"));
            exec(client, "the same without the native program");
            stream(client, sender);
        }
    }

    private void exec(GuestClient client, String what) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/bin/true");
        ExecSpec spec = ExecSpec.of("/bin/true");
        compare(
                EXECS,
                () -> builder.start().waitFor(),
                () -> client.exec(spec).exitCode(),
                (bare, through) -> row(
                        what,
                        String.format("%.2f × (%.2f ms / %.2f ms)", (double) through / bare, through / 1e6, bare / 1e6),
                        "2.5 × (stretch 1.5 ×)"));
    }

    private void stream(GuestClient client, SocketSender sender) throws Exception {
        compare(
                STREAMS,
                () -> requireAll(sender.receive()),
                () -> requireAll(streamed(client)),
                (bare, through) -> row(
                        "stream of 1 GiB against a bare socket copy",
                        String.format(
                                "%.2f × (%.0f MiB/s / %.0f MiB/s)",
                                (double) bare / through, mebibytesPerSecond(through), mebibytesPerSecond(bare)),
                        "0.4 × (stretch 0.7 ×)"));
    }

    private static double mebibytesPerSecond(long nanos) {
        return (STREAMED >> 20) / (nanos / 1e9);
    }

    private static long streamed(GuestClient client) throws Exception {
        StreamingExec exec =
                client.execStreaming(StreamingExecSpec.of("head", "-c", Long.toString(STREAMED), "/dev/zero"));
        long received = 0;
        byte[] buffer = new byte[SocketSender.BUFFER];
        try (InputStream stdout = exec.stdout()) {
            int count = stdout.read(buffer);
            while (count >= 0) {
                received += count;
                count = stdout.read(buffer);
            }
        }
        exec.child().waitFor();
        return received;
    }

    private static int requireAll(long received) {
        if (received != STREAMED) {
            throw new IllegalStateException("received " + received + " of " + STREAMED + " bytes");
        }
        return 0;
    }

    /** What two medians in nanoseconds make. */
    private interface Comparison {
        void of(long bare, long through);
    }

    /** The first tenth or so of the rounds warms up. */
    private static void compare(int rounds, Callable<Integer> bare, Callable<Integer> through, Comparison comparison)
            throws Exception {
        long[] bareNanos = new long[rounds];
        long[] throughNanos = new long[rounds];
        for (int round = -(rounds + 9) / 10; round < rounds; round++) {
            bareNanos[Math.max(round, 0)] = nanos(bare);
            throughNanos[Math.max(round, 0)] = nanos(through);
        }
        Arrays.sort(bareNanos);
        Arrays.sort(throughNanos);
        comparison.of(bareNanos[rounds / 2], throughNanos[rounds / 2]);
    }

    private static long nanos(Callable<Integer> call) throws Exception {
        long start = System.nanoTime();
        if (call.call() != 0) {
            throw new IllegalStateException("a command failed");
        }
        return System.nanoTime() - start;
    }

    /** As the virtual machine starts it: with the cache of its classes. */
    private void starts(Path application) throws Exception {
        if (!Files.exists(application.resolve("guest.aot"))) {
            row("start → Health", "not measured: " + application + " was not built", "");
            return;
        }
        double[] cpu = new double[STARTS];
        long[] memory = new long[STARTS];
        for (int i = 0; i < STARTS; i++) {
            Path socket = work.resolve("start-" + i + ".sock");
            Process process = new ProcessBuilder(startCommand(application, socket))
                    .directory(application.toFile())
                    .inheritIO()
                    .start();
            try (GuestClient client = GuestClient.of(new GuestAddress.UnixSocket(socket), loop)) {
                awaitSocket(process, socket);
                client.health(Duration.ofSeconds(60));
                cpu[i] = cpuSeconds(process);
                memory[i] = residentKibibytes(process);
            } finally {
                process.destroy();
                process.waitFor();
            }
        }
        Arrays.sort(cpu);
        Arrays.sort(memory);
        row("start → Health, CPU", String.format("%.2f s", cpu[STARTS / 2]), "2.0 s (stretch 1.0 s)");
        row("start → Health, resident", memory[STARTS / 2] / 1000 + " MB", "120 MB (stretch 90 MB)");
    }

    private static List<String> startCommand(Path application, Path socket) throws IOException {
        try (Stream<Path> files = Files.list(application)) {
            Path jar = files.filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException(application + ": expected the supervisor's jar"));
            return List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "@jvm.options",
                    "-XX:AOTMode=on",
                    "-XX:AOTCache=guest.aot",
                    "-classpath",
                    jar.getFileName().toString(),
                    "io.carlos.guest.GuestSupervisor",
                    "--carlos.guest.listen=unix:" + socket);
        }
    }

    private static void awaitSocket(Process process, Path socket) throws InterruptedException {
        while (!Files.exists(socket)) {
            if (!process.isAlive()) {
                throw new IllegalStateException("the supervisor does not start");
            }
            Thread.sleep(5);
        }
    }

    private static double cpuSeconds(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        // Behind the name, which may have blanks: state is field 3, utime and stime are 14 and 15.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    private static long residentKibibytes(Process process) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IllegalStateException("the supervisor has ended");
    }

    private void row(String what, String measured, String bar) {
        rows.add(new String[] {what, measured, bar});
    }

    private void print() {
        System.out.printf("%n%-44s %36s   %s%n", "guest supervisor, unix socket", "measured", "bar");
        rows.forEach(row -> System.out.printf("%-44s %36s   %s%n", (Object[]) row));
    }
}

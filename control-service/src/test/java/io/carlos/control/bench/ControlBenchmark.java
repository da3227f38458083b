package io.carlos.control.bench;

import io.carlos.control.cgroup.CgroupWatch;
import io.carlos.control.testing.Activator;
import io.carlos.control.testing.Await;
import io.carlos.control.testing.FileBox;
import io.carlos.control.testing.KernelCgroup;
import io.carlos.control.testing.StandInSystemctl;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.ProbeLine;
import io.carlos.model.files.ProbeReport;
import io.carlos.model.names.Host;
import io.carlos.model.names.Role;
import io.carlos.model.names.UnitName;
import java.io.File;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * The built service, activated as on a box, with a shell script in the place of systemctl. Every verb here is one or two
 * processes of that script.
 */
public final class ControlBenchmark {
    private static final int CONNECTIONS = 64;
    private static final int VERBS = 10_000;
    private static final int REQUESTS = 20_000;
    private static final int WAITS = 200;
    private static final int WARM_UP = 2_000;
    private static final int TICKS_A_SECOND = 100;
    private static final int USER_TICKS = 11;
    private static final String HOST = "host=a.example.com";

    private final Path app;
    private final Path root;
    private final BoxPaths paths;
    private final List<String[]> rows = new ArrayList<>();

    private ControlBenchmark(Path app, Path root) {
        this.app = app;
        this.root = root;
        this.paths = BoxPaths.under(root);
    }

    /** @param args the directory of the exploded application */
    public static void main(String[] args) throws Exception {
        if (!"root".equals(System.getProperty("user.name"))) {
            System.out.println("control service: not measured: it has to be run as root");
            return;
        }
        Path root = Files.createTempDirectory("control-bench");
        new ControlBenchmark(Path.of(args[0]), root).run();
    }

    private void run() throws Exception {
        Files.createDirectories(paths.control());
        FileBox.mountCgroups(root);
        Files.createDirectories(paths.configuration());
        Files.writeString(paths.probeSecret(), "probe");
        Files.setPosixFilePermissions(paths.probeSecret(), PosixFilePermissions.fromString("rw-r-----"));
        ProbeReport report = new ProbeReport(List.of(new ProbeLine("pid1", ProbeLine.Verdict.OK, "alone")));
        StandInSystemctl systemctl = StandInSystemctl.in(root, report.toJson(), paths.probeReport());
        Process service = start(systemctl);
        try {
            firstAnswer(service);
            ready();
            verbs(service);
        } finally {
            service.destroy();
            service.waitFor();
        }
        reaction();
        System.out.printf("%n%-58s %20s   %s%n", "control service", "measured", "bar");
        rows.forEach(row -> System.out.printf("%-58s %20s   %s%n", (Object[]) row));
    }

    private Process start(StandInSystemctl systemctl) throws IOException {
        List<String> command = new ArrayList<>(Activator.command(paths.controlSocket(), 1));
        Path jar;
        try (var files = Files.list(app)) {
            jar = files.filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
        }
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@jvm.options",
                "-XX:AOTCache=control.aot",
                "-XX:AOTMode=on",
                "-classpath",
                jar.getFileName().toString(),
                "io.carlos.control.boot.ControlService",
                "--carlos.control.root=" + root,
                "--carlos.control.systemctl=" + systemctl.program(),
                "--carlos.control.cgroup-root=" + root,
                "--carlos.control.peer.user=root"));
        return new ProcessBuilder(command)
                .directory(app.toFile())
                .redirectErrorStream(true)
                .redirectOutput(root.resolve("log").toFile())
                .redirectInput(new File("/dev/null"))
                .start();
    }

    private void firstAnswer(Process service) throws Exception {
        long start = System.nanoTime();
        Await.until("the socket is there", () -> Files.exists(paths.controlSocket()));
        List<KeptConnection> connected = new ArrayList<>();
        Await.until("it listens", () -> {
            try {
                return connected.add(new KeptConnection(paths.controlSocket()));
            } catch (SocketException e) {
                return false;
            }
        });
        try (KeptConnection first = connected.get(0)) {
            first.ask("GET /ready");
            double cpu = cpuSeconds(service);
            double wall = (System.nanoTime() - start) / 1e9;
            rows.add(new String[] {
                "first queued request answered after activation",
                String.format("%.2f s CPU, %.1f s", cpu, wall),
                "<= 2.5 s CPU"
            });
            rows.add(new String[] {"  memory then, anonymous and all", memory(service, "VmRSS"), ""});
            Await.until("ready", () -> first.ask("GET /ready") == 204);
        }
    }

    private void ready() throws Exception {
        long[] nanos = new long[REQUESTS];
        try (KeptConnection connection = new KeptConnection(paths.controlSocket())) {
            for (int i = -WARM_UP; i < REQUESTS; i++) {
                long start = System.nanoTime();
                require(connection.ask("GET /ready") == 204);
                if (i >= 0) {
                    nanos[i] = System.nanoTime() - start;
                }
            }
        }
        Arrays.sort(nanos);
        rows.add(new String[] {
            "GET /ready, one kept connection, p50 / p99 of " + REQUESTS,
            String.format("%.3f / %.3f ms", nanos[REQUESTS / 2] / 1e6, nanos[REQUESTS * 99 / 100] / 1e6),
            "<= 1 / 5 ms"
        });
    }

    private void verbs(Process service) throws Exception {
        long start = System.nanoTime();
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                int verbs = VERBS / CONNECTIONS + (i < VERBS % CONNECTIONS ? 1 : 0);
                clients.add(threads.submit(() -> ask(verbs)));
            }
            for (Future<?> client : clients) {
                client.get();
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        rows.add(new String[] {
            VERBS + " verbs over " + CONNECTIONS + " connections", String.format("%.0f verbs/s", VERBS / seconds), ""
        });
        rows.add(new String[] {"  memory after, anonymous and all", memory(service, "VmRSS"), "<= 128 MB"});
        rows.add(new String[] {"  memory at its most", memory(service, "VmHWM"), "<= 128 MB"});
    }

    /** From the end of a unit's last process, as its parent sees it, to the end of the wait for it. */
    private void reaction() throws Exception {
        UnitName unit = UnitName.of(Role.CMD, Host.of("a.example.com"));
        Optional<KernelCgroup> made = KernelCgroup.of(unit);
        if (made.isEmpty()) {
            rows.add(new String[] {"empty control group seen", "not measured: no cgroup2", "<= 20 ms"});
            return;
        }
        long[] nanos = new long[WAITS];
        try (KernelCgroup cgroup = made.get();
                CgroupWatch watch = CgroupWatch.open(cgroup.root(), (empty, time) -> {})) {
            for (int i = 0; i < WAITS; i++) {
                Process process = new ProcessBuilder("sleep", "600").start();
                cgroup.take(process);
                FutureTask<Long> wait = new FutureTask<>(() -> {
                    watch.awaitEmpty(unit, Duration.ofSeconds(30));
                    return System.nanoTime();
                });
                Thread.ofPlatform().start(wait);
                Thread.sleep(20);
                process.destroyForcibly().waitFor();
                long end = System.nanoTime();
                nanos[i] = Math.max(0, wait.get() - end);
            }
        }
        Arrays.sort(nanos);
        rows.add(new String[] {
            "empty control group seen, p50 / p99 of " + WAITS,
            String.format("%.1f / %.1f ms", nanos[WAITS / 2] / 1e6, nanos[WAITS * 99 / 100] / 1e6),
            "<= 20 ms"
        });
    }

    private Object ask(int verbs) throws IOException {
        try (KeptConnection connection = new KeptConnection(paths.controlSocket())) {
            for (int i = 0; i < verbs; i++) {
                require(
                        i % 2 == 0
                                ? connection.ask("POST /reset?" + HOST + "&role=run") == 204
                                : connection.ask("POST /stop?" + HOST + "&role=run") == 204);
            }
        }
        return verbs;
    }

    private static void require(boolean asExpected) {
        if (!asExpected) {
            throw new IllegalStateException("the service does not answer as it should; nothing is measured");
        }
    }

    /** Of the process and of all its children that have ended. */
    private static double cpuSeconds(Process process) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = 0;
        for (int i = 0; i < 4; i++) {
            ticks += Long.parseLong(fields[USER_TICKS + i]);
        }
        return (double) ticks / TICKS_A_SECOND;
    }

    private static String memory(Process process, String total) throws IOException {
        return String.format("%d / %d MB", megabytes(process, "RssAnon"), megabytes(process, total));
    }

    private static long megabytes(Process process, String field) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith(field + ":")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024;
            }
        }
        throw new IOException("process " + process.pid() + ": no " + field);
    }
}

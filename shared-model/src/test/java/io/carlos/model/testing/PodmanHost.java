package io.carlos.model.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A podman with a store of its own that also works where the system has the older control groups, or not the right to
 * raise limits: it runs in a namespace of mounts with the newer ones, and gives containers low limits.
 */
public final class PodmanHost implements AutoCloseable {
    private static final String REQUIRE_VARIABLE = "CARLOS_REQUIRE_PODMAN";

    /** The root file system for a user other than root, who already is where the newer control groups are. */
    private static final String ROOT_VARIABLE = "CARLOS_PODMAN_ROOT";

    private static final Path BUILD_ROOT =
            Path.of("..", "deploy", "podman", "build-root").toAbsolutePath().normalize();
    private static final Path NATIVE_PROGRAM = Path.of("..", "guest-supervisor", "target", "carlos")
            .toAbsolutePath()
            .normalize();
    private static final Duration BUILD_BOUND = Duration.ofMinutes(15);

    private final Process namespace;
    private final Path directory;
    private final Path root;
    private final List<String> within;

    private PodmanHost(Process namespace, Path directory, Path root, List<String> within) {
        this.namespace = namespace;
        this.directory = directory;
        this.root = root;
        this.within = within;
    }

    /**
     * Ends the test as skipped where something is missing; with {@code CARLOS_REQUIRE_PODMAN=1} in the environment it
     * fails.
     *
     * @param directory with a short path, for sockets
     */
    public static PodmanHost require(Path directory) throws IOException, InterruptedException {
        boolean required = "1".equals(System.getenv(REQUIRE_VARIABLE));
        boolean superuser =
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        String givenRoot = System.getenv(ROOT_VARIABLE);
        if (!superuser && givenRoot == null) {
            throw skip("not root, and " + ROOT_VARIABLE + " names no root file system");
        }
        for (String program : List.of("/usr/bin/podman", "/usr/bin/crun", "/usr/bin/conmon", "/usr/bin/catatonit")) {
            if (!Files.isExecutable(Path.of(program))) {
                throw skip(program + " is missing");
            }
        }
        if (!Files.isExecutable(NATIVE_PROGRAM)) {
            throw skip(NATIVE_PROGRAM.getFileName() + " was not built");
        }
        if (!superuser) {
            return new PodmanHost(new ProcessBuilder("cat").start(), directory, Path.of(givenRoot), List.of());
        }
        Path root = root(required ? List.of() : List.of("--if-built"));
        Process namespace = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        "mount -t cgroup2 none /sys/fs/cgroup && echo ready && exec cat")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader said = namespace.inputReader(StandardCharsets.UTF_8);
        if (!"ready".equals(said.readLine())) {
            throw skip("no namespace of mounts");
        }
        List<String> within = List.of("/usr/bin/nsenter", "--mount=/proc/" + namespace.pid() + "/ns/mnt", "--");
        return new PodmanHost(namespace, directory, root, within);
    }

    private static Path root(List<String> arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(BUILD_ROOT.toString()).redirectErrorStream(true);
        builder.command().addAll(arguments);
        Process build = builder.start();
        String output = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!build.waitFor(BUILD_BOUND.toSeconds(), TimeUnit.SECONDS) || build.exitValue() != 0) {
            throw skip(output);
        }
        return Path.of(output);
    }

    private static RuntimeException skip(String why) {
        if ("1".equals(System.getenv(REQUIRE_VARIABLE))) {
            Assertions.fail(REQUIRE_VARIABLE + " is set, but podman cannot be tested: " + why);
        }
        System.out.println("skipped: the tests of podman: " + why);
        Assumptions.abort(why);
        return new IllegalStateException(why);
    }

    /** Ends the test as {@link #require} does where a program is missing. */
    public void requireProgram(Path program) {
        if (!Files.isExecutable(program)) {
            throw skip(program + " is missing");
        }
    }

    /** Where podman keeps what changes in containers' root file systems. */
    public Path overlays() {
        return directory.resolve("run/overlay-containers");
    }

    /** The root file system of containers. */
    public Path root() {
        return root;
    }

    /** What starts commands in containers. */
    public Path nativeProgram() {
        return NATIVE_PROGRAM;
    }

    /** The words that every call of this podman starts with. */
    public List<String> program() {
        List<String> words = new ArrayList<>(within);
        words.addAll(List.of(
                "/usr/bin/podman",
                "--root=" + directory.resolve("store"),
                "--runroot=" + directory.resolve("run"),
                "--tmpdir=" + directory.resolve("tmp"),
                "--cgroup-manager=cgroupfs",
                "--events-backend=none"));
        return words;
    }

    /** What containers have to be created with here. */
    public List<String> createArguments() {
        return List.of(
                "--network=none",
                "--cgroups=disabled",
                "--pids-limit=0",
                "--ulimit=nofile=1024:1024",
                "--ulimit=nproc=4096:4096");
    }

    /** What this podman says to a call that it must succeed at. */
    public String call(String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(program());
        words.addAll(List.of(arguments));
        Process call = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(call.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Assertions.assertEquals(0, call.waitFor(), () -> "podman " + List.of(arguments) + " said " + said);
        return said;
    }

    @Override
    public void close() throws IOException {
        if (within.isEmpty()) {
            removeStore();
        }
        namespace.getOutputStream().close();
        namespace.onExit().join();
    }

    /** A user's has files of others, which only podman can remove for it. */
    private void removeStore() throws IOException {
        List<String> words = new ArrayList<>(program());
        words.addAll(
                List.of("unshare", "rm", "-rf", "--", directory.resolve("store").toString()));
        new ProcessBuilder(words).inheritIO().start().onExit().join();
    }
}

package io.carlos.agent.guest;

import io.carlos.agent.container.CommandException;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A virtual machine of the guest's image, booted as a person would boot it. */
public final class GuestMachine implements AutoCloseable {
    static final int PORT = 1024;

    private static final String REQUIRE_VARIABLE = "CARLOS_REQUIRE_MICROVM";
    private static final Path SCRIPTS =
            Path.of("..", "deploy", "guest").toAbsolutePath().normalize();
    private static final Duration BUILD_BOUND = Duration.ofMinutes(30);

    /** Machines that are emulated, on processors with other work, take most of a minute. */
    private static final Duration BOOT_BOUND = Duration.ofMinutes(5);

    private static final Duration EXIT_BOUND = Duration.ofMinutes(1);
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);

    private final Process process;
    private final Path console;

    private GuestMachine(Process process, Path console) {
        this.process = process;
        this.console = console;
    }

    /**
     * Ends the test as skipped where the cache has no image of this build. With {@code CARLOS_REQUIRE_MICROVM=1} in the
     * environment the image is made, and it fails where that cannot be done.
     */
    public static void requireImage() throws IOException, InterruptedException {
        boolean required = "1".equals(System.getenv(REQUIRE_VARIABLE));
        Optional<String> obstacle = required ? obstacleOf("build") : missingImage();
        if (obstacle.isPresent() && required) {
            Assertions.fail(REQUIRE_VARIABLE + " is set, but there is no image: " + obstacle.get());
        }
        if (obstacle.isPresent()) {
            System.out.println("skipped: the tests of a virtual machine: " + obstacle.get());
            Assumptions.abort(obstacle.get());
        }
    }

    /** Why the cache has no image of this build, if it has none. */
    public static Optional<String> missingImage() throws IOException, InterruptedException {
        return obstacleOf("build", "--if-built");
    }

    private static Optional<String> obstacleOf(String script, String... arguments)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("guest-build", ".log");
        Process build = script(script, arguments)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            boolean ended = build.waitFor(BUILD_BOUND.toSeconds(), TimeUnit.SECONDS);
            return ended && build.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of(ended ? Files.readString(log).strip() : script + " takes longer than " + BUILD_BOUND);
        } finally {
            build.destroy();
            Files.delete(log);
        }
    }

    private static ProcessBuilder script(String name, String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(SCRIPTS.resolve(name).toString());
        builder.command().addAll(List.of(arguments));
        return builder;
    }

    /**
     * Starts to boot.
     *
     * @param workspace the host's directory that the guest has as /workspace
     * @param console where what the machine says is written to
     */
    static GuestMachine boot(Path workspace, Path console) throws IOException {
        return new GuestMachine(
                script("run", workspace.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(console.toFile())
                        .start(),
                console);
    }

    /** Returns a client when the guest's supervisor answers. */
    GuestClient awaitSupervisor(EventLoopGroup loop) throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            Optional<String> socket = said("vsock");
            if (socket.isPresent()) {
                // After a failure a client waits before it connects again, and longer each time.
                GuestClient client = GuestClient.of(new GuestAddress.HybridVsock(Path.of(socket.get()), PORT), loop);
                try {
                    client.health(ANSWER_BOUND);
                    return client;
                } catch (CommandException e) {
                    client.close();
                }
            }
            if (!process.isAlive() || System.nanoTime() - start > BOOT_BOUND.toNanos()) {
                throw new IllegalStateException("the guest does not answer: " + console());
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    /** What the script has said about this machine. */
    Optional<String> said(String what) throws IOException {
        return console()
                .lines()
                .filter(line -> line.startsWith(what + ": "))
                .map(line -> line.substring(what.length() + 2))
                .findFirst();
    }

    String console() throws IOException {
        return Files.readString(console);
    }

    /** The status of its monitor, which must end soon. */
    int awaitExit() throws IOException, InterruptedException {
        if (!process.waitFor(EXIT_BOUND.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the machine is still on: " + console());
        }
        return process.exitValue();
    }

    /** As if it had lost its power. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}

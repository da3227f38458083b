package io.carlos.agent.guest;

import io.carlos.agent.container.CommandException;
import io.carlos.model.testing.GuestCache;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A virtual machine of the guest's image, booted as a person would boot it. */
public final class GuestMachine implements AutoCloseable {
    static final int PORT = 1024;

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

    /** See {@link GuestCache#require}. */
    public static void requireImage() throws IOException, InterruptedException {
        GuestCache.require();
    }

    private static ProcessBuilder script(String name, String... arguments) {
        ProcessBuilder builder =
                new ProcessBuilder(GuestCache.SCRIPTS.resolve(name).toString());
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
        return boot(script("run", workspace.toString()), console);
    }

    /**
     * Starts to boot, as on a machine with another {@code /etc/resolv.conf}. Needs root.
     *
     * @see #boot(Path, Path)
     */
    static GuestMachine bootWith(Path resolvConf, Path workspace, Path console) throws IOException {
        ProcessBuilder run = script("run", workspace.toString());
        run.command()
                .addAll(
                        0,
                        List.of(
                                "unshare",
                                "--mount",
                                "sh",
                                "-c",
                                "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\"",
                                resolvConf.toString()));
        return boot(run, console);
    }

    private static GuestMachine boot(ProcessBuilder run, Path console) throws IOException {
        Process process =
                run.redirectErrorStream(true).redirectOutput(console.toFile()).start();
        return new GuestMachine(process, console);
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

package io.carlos.model.testing;

import java.io.File;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The guest's supervisor as a process of this machine, from the class path of the test, on a unix socket. */
public final class SupervisorProcess implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String MAIN_CLASS = "io.carlos.guest.GuestSupervisor";

    /** Whom commands may run as, whoever runs the test: nobody when that is root. */
    public static final int UID = ownUid() == 0 ? 65_534 : ownUid();

    private final Path socket;
    private final Path log;
    private final Process process;

    private SupervisorProcess(Path socket, Path log, Process process) {
        this.socket = socket;
        this.log = log;
        this.process = process;
    }

    private static int ownUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new IllegalStateException("the own uid cannot be told", e);
        }
    }

    /** Returns when it listens. */
    public static SupervisorProcess start(Path directory, String... settings) throws IOException {
        return start(List.of(), directory, settings);
    }

    /** @param launcher the words of a command that executes the one behind it */
    public static SupervisorProcess start(List<String> launcher, Path directory, String... settings)
            throws IOException {
        Path socket = directory.resolve("guest.sock");
        Path log = directory.resolve("guest.log");
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xss256k",
                MAIN_CLASS,
                "--carlos.guest.listen=unix:" + socket));
        command.addAll(List.of(settings));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        builder.redirectInput(new File("/dev/null"));
        SupervisorProcess started = new SupervisorProcess(socket, log, builder.start());
        try {
            started.awaitListening();
        } catch (IOException | RuntimeException | Error e) {
            started.close();
            throw e;
        }
        return started;
    }

    private void awaitListening() throws IOException {
        long start = System.nanoTime();
        while (!isListening()) {
            if (!process.isAlive() || System.nanoTime() - start > BOUND.toNanos()) {
                throw new IllegalStateException("the supervisor does not listen: " + Files.readString(log));
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    private boolean isListening() {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            return false;
        }
    }

    public Path socket() {
        return socket;
    }

    public long pid() {
        return process.pid();
    }

    /** What it logged up to now. */
    public String log() throws IOException {
        return Files.readString(log);
    }

    /** How it ended, which must be soon. */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("the supervisor still runs after " + BOUND);
        }
        return process.exitValue();
    }

    /** As if the machine had lost its power. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        awaitExit();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

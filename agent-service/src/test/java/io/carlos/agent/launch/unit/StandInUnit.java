package io.carlos.agent.launch.unit;

import io.carlos.agent.launch.CommandEnd;
import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.LaunchedRun;
import io.carlos.agent.launch.process.ProcessLauncher;
import io.carlos.model.box.BoxPaths;
import io.carlos.model.files.LaunchFile;
import io.carlos.model.files.StatusFile;
import io.carlos.model.files.StatusFile.Cause;
import io.carlos.model.names.Host;
import io.carlos.model.names.InstanceId;
import io.carlos.model.names.InvocationId;
import io.carlos.model.names.Role;
import io.carlos.model.records.Records;
import io.carlos.model.runs.OutputChannel;
import io.carlos.model.runs.RunId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** One command unit: reads the launch file, prints to the log sockets, keeps the status file. */
final class StandInUnit {
    private static final int SIGKILL = 9;

    /** In a namespace, descendants would end at once. */
    private static final Duration DESCENDANTS_BOUND = Duration.ofSeconds(2);

    private static final ProcessLauncher PROCESSES = new ProcessLauncher(DESCENDANTS_BOUND);

    private final BoxPaths paths;
    private final Host host;
    private final InstanceId id;
    private final InvocationId invocation;
    private final Map<OutputChannel, SocketChannel> output = new EnumMap<>(OutputChannel.class);
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch empty = new CountDownLatch(1);
    private volatile boolean stopping;
    private volatile boolean failed;
    private LaunchedRun process;

    StandInUnit(BoxPaths paths, Host host, InvocationId invocation) {
        this.paths = paths;
        this.host = host;
        this.id = InstanceId.of(host);
        this.invocation = invocation;
    }

    InvocationId invocation() {
        return invocation;
    }

    void start() throws IOException, InterruptedException {
        LaunchFile launch =
                LaunchFile.read(Files.readAllBytes(paths.instanceData(id).resolve(LaunchFile.fileName(Role.CMD))));
        launch.checkProgram(paths.live().toString(), id);
        for (OutputChannel channel : OutputChannel.values()) {
            output.put(channel, SocketChannel.open(UnixDomainSocketAddress.of(paths.logSocket(id, Role.CMD, channel))));
        }
        writeStatus(Cause.RUNNING, 0);
        LaunchOutcome outcome = PROCESSES.launch(request(launch), this::print);
        if (!(outcome instanceof LaunchOutcome.Started(LaunchedRun run))) {
            throw new IOException("not started: " + outcome);
        }
        process = run;
        started.countDown();
        Thread.ofVirtual().start(this::follow);
    }

    private LaunchRequest request(LaunchFile launch) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String entry : launch.env()) {
            int equals = entry.indexOf('=');
            environment.put(entry.substring(0, equals), entry.substring(equals + 1));
        }
        Path run = Path.of(environment.get("CARLOS_RUN_DIR"));
        return new LaunchRequest(
                new RunId(environment.get("CARLOS_RUN_ID")),
                Records.of(host.value()).ref(),
                Records.of(host.value()).incarnation(),
                launch.argv(),
                environment,
                Path.of(environment.get("CARLOS_DATA_DIR")),
                run);
    }

    private void print(OutputChannel channel, byte[] bytes, int offset, int length) throws InterruptedException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        try {
            while (buffer.hasRemaining()) {
                output.get(channel).write(buffer);
            }
        } catch (IOException e) {
            throw new InterruptedException("the listener has hung up: " + e);
        }
    }

    private void follow() {
        try {
            CommandEnd end = process.awaitEnd(Duration.ofDays(1)).orElseThrow();
            failed = !(end instanceof CommandEnd.Exited(int status, String ignored)) || status != 0;
            switch (end) {
                case CommandEnd.Exited(int status, String ignored) -> writeStatus(Cause.EXITED, status);
                case CommandEnd.Killed(int signal, String ignored) -> {
                    // A kill at the end of the grace takes the trampoline with it.
                    if (!stopping || signal != SIGKILL) {
                        writeStatus(Cause.KILLED, signal);
                    }
                }
                default -> throw new IllegalStateException("a process ends by itself or by a signal: " + end);
            }
            process.stop(DESCENDANTS_BOUND);
            for (SocketChannel socket : output.values()) {
                socket.close();
            }
            empty.countDown();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this", e);
        }
    }

    private void writeStatus(Cause cause, int status) throws IOException {
        Path file = paths.instanceRun(id).resolve(StatusFile.fileName(Role.CMD, invocation));
        Path fresh = Files.writeString(
                file.resolveSibling(".new"), new StatusFile(invocation, cause, status, Instant.EPOCH).toJson());
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Whether it has ended, and not with 0. */
    boolean hasFailed() {
        return failed && empty.getCount() == 0;
    }

    boolean awaitEmpty(Duration wait) throws InterruptedException {
        return empty.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    void stop(Duration grace) throws InterruptedException {
        started.await();
        if (!awaitEmpty(Duration.ZERO)) {
            stopping = true;
            process.stop(grace);
        }
        empty.await();
    }
}

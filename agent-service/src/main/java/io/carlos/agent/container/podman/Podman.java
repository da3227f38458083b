package io.carlos.agent.container.podman;

import io.carlos.agent.container.ContainerException;
import io.carlos.agent.container.ContainerId;
import io.carlos.model.linux.process.ChildChannel;
import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.PosixSpawn;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.Signal;
import io.carlos.model.linux.process.SpawnRequest;
import io.carlos.model.linux.process.SpawnedProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Calls podman, with argument lists and never through a shell. */
final class Podman {
    private static final int LARGEST_ANSWER = 1024 * 1024;
    private static final int LARGEST_PIECE = 16 * 1024;

    private final PodmanSettings settings;
    private final Duration bound;

    /** @param bound for every call but a command's, beside what the call itself is to wait for */
    Podman(PodmanSettings settings, Duration bound) {
        this.settings = settings;
        this.bound = bound;
    }

    PodmanSettings settings() {
        return settings;
    }

    /** @throws ContainerException when podman did not succeed; it says why */
    PodmanAnswer succeed(String subject, List<String> arguments) throws ContainerException, InterruptedException {
        PodmanAnswer answer = run(subject, arguments, Duration.ZERO);
        if (!answer.succeeded()) {
            throw new ContainerException(
                    subject + ": podman " + arguments.getFirst() + " failed: " + answer.complaint(), null);
        }
        return answer;
    }

    /**
     * @param wait how long the call itself is to wait for something
     * @throws ContainerException when there is no answer in time, or podman cannot be executed
     */
    PodmanAnswer run(String subject, List<String> arguments, Duration wait)
            throws ContainerException, InterruptedException {
        try {
            SpawnedProcess process = PosixSpawn.spawn(request(arguments));
            return answer(subject + ": podman " + arguments.getFirst(), process, bound.plus(wait));
        } catch (IOException e) {
            throw new ContainerException(
                    subject + ": podman cannot be called: " + e.getMessage() + "; install podman, or name its program",
                    e);
        }
    }

    boolean isRunning(String subject, ContainerId container) throws ContainerException, InterruptedException {
        List<String> question = List.of("container", "inspect", "--format={{.State.Running}}", container.value());
        return run(subject, question, Duration.ZERO).stdout().strip().equals("true");
    }

    private SpawnRequest request(List<String> arguments) {
        List<String> argv = new ArrayList<>(settings.program());
        argv.addAll(arguments);
        return new SpawnRequest(argv.getFirst(), argv, settings.environment(), Path.of("/"));
    }

    private static PodmanAnswer answer(String subject, SpawnedProcess process, Duration bound)
            throws IOException, InterruptedException {
        Text stdout = new Text();
        Text stderr = new Text();
        OutputPumps pumps = new OutputPumps(
                subject,
                LARGEST_PIECE,
                List.of(
                        new OutputPumps.Stream("stdout", process.stdout(), stdout),
                        new OutputPumps.Stream("stderr", process.stderr(), stderr)));
        pumps.start(Thread.ofPlatform().daemon().name("podman-output-", 0)::start);
        boolean ended = false;
        ChildEnd end;
        try {
            ended = pumps.awaitEndWithin(bound);
        } finally {
            if (!ended) {
                process.child().signalGroup(Signal.KILL);
                pumps.abandon();
            }
            end = process.child().awaitEnd();
            process.child().reap();
        }
        if (!ended) {
            throw new IOException(subject + " had no answer after " + bound);
        }
        return switch (end) {
            case ChildEnd.Exited(int status) ->
                new PodmanAnswer(status == 0, "ended with status " + status, stdout.content(), stderr.content());
            case ChildEnd.Killed(int signal) ->
                new PodmanAnswer(false, "was killed by signal " + signal, stdout.content(), stderr.content());
        };
    }

    /** Starts a call that goes on, with its streams and the channel, which podman is to hand on. */
    PipedProcess start(List<String> arguments, ChildChannel channel) throws ProcessCallException {
        return PosixSpawn.spawnPiped(request(arguments), channel);
    }

    /** The beginning of a stream. */
    private static final class Text implements OutputPumps.Sink {
        private final ByteArrayOutputStream content = new ByteArrayOutputStream();

        @Override
        public synchronized void write(byte[] bytes, int length) {
            content.write(bytes, 0, Math.min(length, LARGEST_ANSWER - content.size()));
        }

        synchronized String content() {
            return content.toString(StandardCharsets.UTF_8);
        }
    }
}

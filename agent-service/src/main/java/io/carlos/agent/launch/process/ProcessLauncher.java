package io.carlos.agent.launch.process;

import io.carlos.agent.launch.LaunchOutcome;
import io.carlos.agent.launch.LaunchRequest;
import io.carlos.agent.launch.OutputSink;
import io.carlos.agent.launch.RunLauncher;
import io.carlos.model.linux.process.PosixSpawn;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.linux.process.ProgramLookup;
import io.carlos.model.linux.process.SpawnRequest;
import io.carlos.model.linux.process.SpawnedProcess;
import io.carlos.model.linux.process.TreeKiller;
import io.carlos.model.runs.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each command as a plain child of the agent, as the agent's own user: the embedded default, for laptops and
 * tests. It gives no isolation. It needs no root, and a glibc of 2.34 or newer.
 *
 * <p>The command starts in the run's directory, in a session of its own, with an empty standard input and no descriptor
 * but the first three; its environment is described at {@link CommandEnvironment}. Its name is looked up in the
 * {@code PATH} of that environment; a name that cannot be executed is a started command that ends as in a shell, with
 * 127 (not found) or 126, and one line on its standard error.
 *
 * <p>At the stop of a command that ended by itself, background processes that still hold its output have a bound to
 * finish it; all others are killed at once, and those too when the bound has passed.
 */
public final class ProcessLauncher implements RunLauncher {
    /** How long background processes may hold the output of a command that has ended. */
    public static final Duration DRAIN_BOUND = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(ProcessLauncher.class);

    private final Duration drainBound;
    private final Map<String, String> agentEnvironment;
    private final AtomicBoolean announced = new AtomicBoolean();

    public ProcessLauncher() {
        this(DRAIN_BOUND);
    }

    public ProcessLauncher(Duration drainBound) {
        this(drainBound, System.getenv());
    }

    ProcessLauncher(Duration drainBound, Map<String, String> agentEnvironment) {
        this.drainBound = drainBound;
        this.agentEnvironment = agentEnvironment;
    }

    /**
     * Kills what an agent left that was itself killed: every process of a run whose directory is beneath the data root,
     * and all that came of it. To be called before the first launch, by the only agent of that data root.
     *
     * @return what was killed
     * @throws IllegalStateException when some of it does not die; it names the processes
     */
    public static List<ProcessStat> killLeftovers(Path dataRoot) throws IOException, InterruptedException {
        TreeKiller.Outcome outcome = TreeKiller.kill("runs left beneath " + dataRoot, RunTrees.ofRunsBeneath(dataRoot));
        if (!outcome.killed().isEmpty()) {
            log.warn("launch: killed runs of an earlier agent: {}", TreeKiller.describe(outcome.killed()));
        }
        if (!outcome.foreign().isEmpty()) {
            log.error("launch: another user's identity protects: {}", TreeKiller.describe(outcome.foreign()));
        }
        return outcome.killed();
    }

    @Override
    public LaunchOutcome launch(LaunchRequest request, OutputSink output) throws InterruptedException {
        if (announced.compareAndSet(false, true)) {
            log.warn("launch: process: no isolation: commands run as the agent's own user");
        }
        String subject = "run " + request.id(); // never its arguments: they are a member's, and may be secret
        if (!Files.isDirectory(request.runDirectory())) {
            return failed(subject, new IOException("no run directory: " + request.runDirectory()));
        }
        Map<String, String> environment = CommandEnvironment.of(request, agentEnvironment);
        String path = environment.getOrDefault("PATH", ProgramLookup.DEFAULT_PATH);
        try {
            return switch (ProgramLookup.lookUp(request.argv().getFirst(), path, request.runDirectory())) {
                case ProgramLookup.Found(String program) -> start(request, program, environment, output);
                case ProgramLookup.NotFound() -> unrunnable(request, UnrunnableCommand.NOT_FOUND, "not found", output);
                case ProgramLookup.NotExecutable() ->
                    unrunnable(request, UnrunnableCommand.NOT_EXECUTABLE, "not an executable file", output);
            };
        } catch (IOException | IllegalArgumentException e) {
            return failed(subject, e);
        }
    }

    @Override
    public String standingNote() {
        return RunResult.NO_ISOLATION;
    }

    private LaunchOutcome start(
            LaunchRequest request, String program, Map<String, String> environment, OutputSink output)
            throws IOException, InterruptedException {
        SpawnedProcess process;
        try {
            process = PosixSpawn.spawn(new SpawnRequest(program, request.argv(), environment, request.runDirectory()));
        } catch (ProcessCallException e) {
            return notExecuted(request, e, output);
        }
        ProcessRun run = new ProcessRun(request.id(), request.runDirectory(), process, output, drainBound);
        try {
            run.start();
            return new LaunchOutcome.Started(run);
        } catch (OutOfMemoryError e) {
            // The JVM's way of saying that there can be no more threads.
            run.discard();
            return failed("run " + request.id() + ": its threads", e);
        }
    }

    private static LaunchOutcome notExecuted(LaunchRequest request, ProcessCallException e, OutputSink output)
            throws ProcessCallException {
        String reason = switch (e.errno()) {
            case ProcessCallException.ENOEXEC ->
                "not a program of this machine; a script's first line must be as #!/bin/sh";
            case ProcessCallException.ENOENT, ProcessCallException.ENOTDIR, ProcessCallException.ELOOP ->
                "it, or the interpreter it names, was not found";
            case ProcessCallException.EACCES, ProcessCallException.EPERM -> "permission denied";
            case ProcessCallException.ETXTBSY -> "somebody has it open for writing";
            default -> throw e;
        };
        return unrunnable(request, UnrunnableCommand.NOT_EXECUTABLE, reason, output);
    }

    private static LaunchOutcome unrunnable(LaunchRequest request, int status, String reason, OutputSink output) {
        String line = "carlos: " + request.argv().getFirst() + ": " + reason;
        return new LaunchOutcome.Started(UnrunnableCommand.start(request.id(), status, line, output));
    }

    private static LaunchOutcome failed(String subject, Throwable cause) {
        return new LaunchOutcome.Failed(subject + ": could not be started: " + cause.getMessage(), cause);
    }
}

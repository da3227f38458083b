package io.carlos.agent.container.microvm;

import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.ChildProcess;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.linux.process.PosixSpawn;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.linux.process.ProcessCallException;
import io.carlos.model.linux.process.ProcessStat;
import io.carlos.model.linux.process.Signal;
import io.carlos.model.linux.process.SpawnRequest;
import io.carlos.model.linux.process.SpawnedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program that was started for a session, in a process session of its own, so that what a terminal sends to the agent
 * does not reach it. It is reaped last: until then its number, and that of its group, can come to mean nobody else.
 */
final class Program {
    private static final Logger log = LoggerFactory.getLogger(Program.class);

    private static final Duration DEATH_BOUND = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS_BOUND = Duration.ofSeconds(1);
    private static final Duration LOOK_FOR_DEAD = Duration.ofMillis(5);
    private static final int LARGEST_PIECE = 16 * 1024;
    private static final int LINES = 10;

    private static final int NICE = 5;

    /** That of a tenant's unit, so that the kernel takes whoever uses the most. */
    private static final String OOM_SCORE = "500";

    private final String subject;
    private final ProgramSpec spec;
    private final ChildProcess child;
    private final ProcessStat.Identity identity;
    private final OutputPumps pumps;
    private final ProgramLog output;
    private final CompletableFuture<ChildEnd> ended = new CompletableFuture<>();

    private final ReentrantLock killing = new ReentrantLock();
    private boolean gone;

    private Program(
            String subject,
            ProgramSpec spec,
            SpawnedProcess process,
            ProcessStat.Identity identity,
            ProgramLog output) {
        this.subject = subject;
        this.spec = spec;
        this.child = process.child();
        this.identity = identity;
        this.output = output;
        this.pumps = new OutputPumps(
                subject + "-" + spec.name(),
                LARGEST_PIECE,
                List.of(
                        new OutputPumps.Stream("stdout", process.stdout(), output),
                        new OutputPumps.Stream("stderr", process.stderr(), output)));
    }

    /** Starts work on a platform thread of its own. */
    interface Threads {
        void start(String name, Runnable work);
    }

    /**
     * Returns when the program has been executed. It gives way to the agent, and is killed before the agent when memory lacks.
     *
     * @throws IOException also when it could not be followed; then it was killed
     */
    static Program start(ProgramSpec spec, SessionDirectory directory, Map<String, String> environment)
            throws IOException {
        return start(
                spec,
                directory,
                environment,
                (name, work) -> Thread.ofPlatform().daemon().name(name).start(work));
    }

    static Program start(ProgramSpec spec, SessionDirectory directory, Map<String, String> environment, Threads threads)
            throws IOException {
        ProgramLog output = new ProgramLog(directory.log(spec.name()));
        SpawnedProcess process;
        try {
            process = PosixSpawn.spawn(
                    new SpawnRequest(spec.argv().getFirst(), spec.argv(), environment, directory.path()));
        } catch (IOException | RuntimeException e) {
            output.close();
            throw e;
        }
        Program program = null;
        boolean followed = false;
        try {
            int pid = process.child().pid();
            // It is not reaped yet, so that it is there even when it has ended.
            ProcessStat.Identity identity = ProcFs.stat(pid)
                    .map(ProcessStat::identity)
                    .orElseThrow(() -> new IOException("/proc does not show the child " + pid + "; mount it"));
            program = new Program("session " + directory.path().getFileName(), spec, process, identity, output);
            program.giveWay();
            program.follow(threads);
            followed = true;
            return program;
        } finally {
            if (!followed) {
                discard(process, program, output);
            }
        }
    }

    /**
     * Has it give way to the agent, with all that it has started by now. It starts that before it listens, and perhaps before
     * this was first done.
     */
    void giveWay() {
        try {
            child.setNiceOfGroup(NICE);
            for (ProcessStat process : ProcFs.processes()) {
                if (process.session() == child.pid() && !process.isDead()) {
                    sacrifice(process.pid());
                }
            }
        } catch (IOException e) {
            log.warn("microvm: {}: {} does not give way to the agent: {}", subject, spec.name(), e.getMessage());
        }
    }

    /** passt lets nobody write this of it once it is at work: it has then what was written before. */
    private void sacrifice(int pid) {
        try {
            Files.writeString(Path.of("/proc/" + pid + "/oom_score_adj"), OOM_SCORE);
        } catch (IOException e) {
            log.debug("microvm: {}: {}: {}", subject, spec.name(), e.getMessage());
        }
    }

    /** Nobody else knows of it. */
    private static void discard(SpawnedProcess process, @Nullable Program program, ProgramLog output)
            throws IOException {
        try (output) {
            process.child().signalGroup(Signal.KILL);
            if (program == null) {
                process.stdout().close();
                process.stderr().close();
            } else {
                program.pumps.discard();
            }
            process.child().reap();
        }
    }

    private void follow(Threads threads) {
        String name = subject + "-" + spec.name();
        pumps.start(work -> threads.start(name + "-output", work));
        threads.start(name + "-end", () -> {
            try {
                ended.complete(child.awaitEnd());
            } catch (ProcessCallException e) {
                log.error("microvm: {}: lost the process of {}", subject, spec.name(), e);
                ended.completeExceptionally(e);
            }
        });
    }

    ProgramSpec spec() {
        return spec;
    }

    ProcessStat.Identity identity() {
        return identity;
    }

    boolean hasEnded() {
        return ended.isDone();
    }

    /** Done, whichever way, when it has ended. */
    CompletableFuture<ChildEnd> ended() {
        return ended;
    }

    /** @return how it ended, or empty when it had not within the bound */
    Optional<ChildEnd> awaitEnd(Duration bound) throws InterruptedException {
        try {
            return Optional.of(ended.get(bound.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(subject + ": " + spec.name() + ": somebody else reaped it", e);
        }
    }

    /** How it ended, for whoever wonders. */
    String obituary() {
        if (!ended.isDone()) {
            return spec.name() + " runs";
        }
        if (ended.isCompletedExceptionally()) {
            return spec.name() + " was lost";
        }
        return spec.name()
                + switch (ended.resultNow()) {
                    case ChildEnd.Exited(int status) -> " ended with status " + status;
                    case ChildEnd.Killed(int signal) -> " was killed by signal " + signal;
                };
    }

    List<String> lastLines() {
        return output.lastLines(LINES);
    }

    /** All of what it said before it ended is in its last lines when this returns, if nobody else holds its output. */
    void awaitLastWords() throws InterruptedException {
        pumps.awaitEndWithin(LAST_WORDS_BOUND);
    }

    /**
     * Kills it with its group. Cannot be interrupted, and may be repeated.
     *
     * @return whether nothing of it is left; a process that waits for a disk may take longer than anybody waits for it
     */
    boolean kill() {
        killing.lock();
        try {
            if (!gone) {
                gone = end();
            }
            return gone;
        } catch (IOException e) {
            log.error("microvm: {}: {} cannot be ended in order", subject, spec.name(), e);
            return false;
        } finally {
            killing.unlock();
        }
    }

    private boolean end() throws IOException {
        boolean lost = ended.isCompletedExceptionally();
        if (!lost) {
            child.signalGroup(Signal.KILL);
            ended.copy()
                    .orTimeout(DEATH_BOUND.toNanos(), TimeUnit.NANOSECONDS)
                    .exceptionally(e -> null)
                    .join();
        }
        if (!ended.isDone()) {
            log.error("microvm: {}: {} does not die; look at what it waits for", subject, spec.name());
            return false;
        }
        if (!lost && !isGroupGone()) {
            log.error("microvm: {}: a process of {} does not die", subject, spec.name());
            return false;
        }
        if (!isHeardOut()) {
            pumps.abandon();
        }
        // The number of one that somebody else reaped may be a stranger's.
        if (!lost) {
            child.reap();
        }
        output.close();
        return true;
    }

    /**
     * Whom it has started dies with it, but not in the same moment: the first of a namespace takes longest. What is dead is
     * the box's first process's to reap.
     */
    private boolean isGroupGone() throws IOException {
        long start = System.nanoTime();
        while (ProcFs.processes().stream().anyMatch(process -> process.session() == child.pid() && !process.isDead())) {
            if (System.nanoTime() - start > DEATH_BOUND.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(LOOK_FOR_DEAD.toNanos());
        }
        return true;
    }

    /** An interrupt ends the wait, and is the caller's to find. */
    private boolean isHeardOut() {
        boolean interrupted = Thread.interrupted();
        try {
            return pumps.awaitEndWithin(LAST_WORDS_BOUND);
        } catch (InterruptedException e) {
            interrupted = true;
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

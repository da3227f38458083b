package io.carlos.guest.exec;

import io.carlos.guest.exec.ExecRefusedException.Reason;
import io.carlos.model.linux.process.PipeReader;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every command that this supervisor runs. */
public final class Executions implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Executions.class);

    private static final int BYTES_OF_PREFIX = 4;
    private static final int RADIX = 10;

    private final ChildStarter starter;
    private final Containment.Factory containments;
    private final Executor threads;
    private final StarterThreads starters;
    private final Children children;

    /** No two supervisors share it: ids mark processes of the machine. */
    private final String prefix;

    private final AtomicLong lastNumber = new AtomicLong();
    private final Map<String, Execution> running = new ConcurrentHashMap<>();
    private final Set<CompletableFuture<?>> startsUnderWay = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    /** @param children reaps already */
    Executions(ChildStarter starter, Containment.Factory containments, Executor threads, Children children) {
        this.starter = starter;
        this.starters = new StarterThreads(starter);
        this.containments = containments;
        this.threads = threads;
        this.children = children;
        byte[] random = new byte[BYTES_OF_PREFIX];
        new SecureRandom().nextBytes(random);
        this.prefix = HexFormat.of().formatHex(random) + "-";
    }

    /**
     * What suits this process.
     *
     * @param cgroup the control group in which each command gets its own; empty: there are none
     * @param nativeProgram takes on users' ids for a supervisor that is root; empty: its own threads do so
     * @param threads runs each task on a platform thread of its own
     * @param broken is run when no command can be followed to its end any more
     */
    public static Executions ofThisProcess(
            Optional<Path> cgroup, Optional<Path> nativeProgram, Executor threads, Runnable broken) {
        Children children = new Children(broken);
        children.startReaping();
        return new Executions(
                ChildStarter.ofThisProcess(new GroupLookup(Path.of("/etc/passwd")), nativeProgram),
                cgroup.<Containment.Factory>map(CgroupContainment.Factory::new)
                        .orElseGet(SessionContainment.Factory::new),
                threads,
                children);
    }

    /**
     * Starts a command. It waits to be followed: {@link Execution} reads no output before {@link #follow}.
     *
     * @throws ExecRefusedException when it could not be started; nothing is left of it
     */
    public Execution start(ExecCommand command) throws ExecRefusedException, InterruptedException {
        CompletableFuture<Void> start = new CompletableFuture<>();
        startsUnderWay.add(start);
        try {
            // A stop that begins after this look waits for the start.
            if (stopping) {
                throw refusal();
            }
            return startNow(command);
        } finally {
            startsUnderWay.remove(start);
            start.complete(null);
        }
    }

    private static ExecRefusedException refusal() {
        return new ExecRefusedException(Reason.STOPPING, "the guest is stopping");
    }

    private Execution startNow(ExecCommand command) throws ExecRefusedException, InterruptedException {
        String id = prefix + lastNumber.incrementAndGet();
        ExecCommand prepared = prepare(id, command);
        Children.Started started = startPrepared(id, prepared);
        Execution execution = new Execution(id, started, contain(id, started));
        running.put(id, execution);
        execution.finished().whenComplete((end, failure) -> running.remove(id));
        // A stop that began meanwhile has not seen this one.
        if (stopping) {
            execution.kill();
            execution.follow(new ExecOutput((bytes, length) -> {}, (bytes, length) -> {}), threads);
            execution.finished().exceptionally(failure -> null).join();
            throw refusal();
        }
        return execution;
    }

    private ExecCommand prepare(String id, ExecCommand command) throws ExecRefusedException {
        try {
            return containments.prepare(id, command);
        } catch (IOException e) {
            throw uncontained(id, e);
        }
    }

    private Children.Started startPrepared(String id, ExecCommand prepared)
            throws ExecRefusedException, InterruptedException {
        try {
            return children.start(() -> starters.call(() -> starter.start(prepared)));
        } catch (ExecRefusedException | InterruptedException | RuntimeException | Error e) {
            try {
                containments.abandon(id);
            } catch (IOException failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    private static ExecRefusedException uncontained(String id, IOException e) {
        return new ExecRefusedException(Reason.NO_ROOM, "exec " + id + " cannot be contained: " + e.getMessage(), e);
    }

    private Containment contain(String id, Children.Started started) throws ExecRefusedException, InterruptedException {
        try {
            return containments.contain(id, started.child());
        } catch (IOException e) {
            discard(id, started);
            throw uncontained(id, e);
        }
    }

    private static void discard(String id, Children.Started started) throws InterruptedException {
        PipedProcess process = started.process();
        try (PipeReader stdout = process.stdout();
                PipeReader stderr = process.stderr()) {
            log.warn("exec: {}: given up: {} {}", id, stdout, stderr);
            process.stdin().close();
            new SessionContainment.Factory().contain(id, started.child()).kill();
            started.child().end().join();
            started.child().forget();
        } catch (IOException e) {
            log.error("exec: {}: its processes could not be looked for", id, e);
        }
    }

    /** Reads the command's output and follows it to its end; to be called once for each that was started. */
    public void follow(Execution execution, ExecOutput output) {
        execution.follow(output, threads);
    }

    /** A command that runs still. */
    public Optional<Execution> running(String id) {
        return Optional.ofNullable(running.get(id));
    }

    /** Whether a command had this id at some time. */
    public boolean isKnown(String id) {
        if (!id.startsWith(prefix)) {
            return false;
        }
        String number = id.substring(prefix.length());
        return number.matches("[1-9][0-9]{0,17}") && Long.parseLong(number, RADIX) <= lastNumber.get();
    }

    /**
     * Starts nothing more, asks every command to end, and kills those that have not when the grace is over. Starts that
     * are under way count as commands. Takes at most twice the grace.
     *
     * @return how many had to be killed
     */
    public int stop(Duration grace) throws InterruptedException {
        stopping = true;
        for (Execution execution : running.values()) {
            try {
                execution.signal(Signal.TERM.number());
            } catch (IOException e) {
                log.warn("stop: exec {}: cannot be asked to end", execution.id(), e);
            }
        }
        if (awaitNone(grace)) {
            return 0;
        }
        List<Execution> left = List.copyOf(running.values());
        left.forEach(Execution::kill);
        if (!awaitNone(grace)) {
            log.error("stop: {} commands and {} starts are left", running.size(), startsUnderWay.size());
        }
        return left.size();
    }

    /** @return whether nothing runs, and nothing is being started */
    private boolean awaitNone(Duration bound) throws InterruptedException {
        long end = System.nanoTime() + bound.toNanos();
        List<CompletableFuture<?>> left = left();
        while (!left.isEmpty()) {
            try {
                CompletableFuture.allOf(left.toArray(CompletableFuture[]::new))
                        .get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                throw new IllegalStateException("failures were taken out", e);
            }
            // A start that ended well has left a command.
            left = left();
        }
        return true;
    }

    private List<CompletableFuture<?>> left() {
        List<CompletableFuture<?>> left = new ArrayList<>(startsUnderWay);
        running.values().forEach(execution -> left.add(execution.finished().exceptionally(failure -> null)));
        return left;
    }

    @Override
    public void close() {
        starters.close();
    }
}

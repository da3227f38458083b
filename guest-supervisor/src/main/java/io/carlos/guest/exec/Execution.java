package io.carlos.guest.exec;

import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command, from its start until nothing is left of it. One thread follows it through these steps:
 *
 * <ol>
 *   <li>its main process exits, or {@link #kill} is called;
 *   <li>in the first case, its output is handed over until both streams end, for at most two seconds by the clock;
 *   <li>whatever still runs of it is killed;
 *   <li>the rest of its output is read, and {@link #finished} completes.
 * </ol>
 */
public final class Execution {
    /** How long background processes may hold the output of a command that has exited. */
    static final Duration DRAIN_BOUND = Duration.ofSeconds(2);

    /** The most that a sink is given at once: with what surrounds it on the wire, two frames of HTTP/2. */
    public static final int LARGEST_PIECE = 32 * 1024 - 64;

    private static final Logger log = LoggerFactory.getLogger(Execution.class);

    private final String id;
    private final Children.Child child;
    private final PipedProcess process;
    private final Containment containment;
    private final Stdin stdin;
    private final CompletableFuture<Void> killed = new CompletableFuture<>();
    private final CompletableFuture<ChildEnd> finished = new CompletableFuture<>();

    Execution(String id, Children.Started started, Containment containment) {
        this.id = id;
        this.child = started.child();
        this.process = started.process();
        this.containment = containment;
        this.stdin = new Stdin(process.stdin());
    }

    /** Names it; no other execution of this supervisor has the same. */
    public String id() {
        return id;
    }

    public Stdin stdin() {
        return stdin;
    }

    /**
     * How its main process ended, once nothing is left of the command and all of its output was handed over or refused.
     * By an exception when that could not be brought about.
     */
    public CompletableFuture<ChildEnd> finished() {
        return finished;
    }

    /** Has the command killed with everything that came of it; returns at once, and may be called at any time. */
    public void kill() {
        killed.complete(null);
    }

    /** Signals its process group, or kills it; nothing happens once its main process has exited. */
    public void signal(int number) throws IOException {
        if (number == Signal.KILL.number()) {
            kill();
        } else {
            child.signalGroup(number);
        }
    }

    /** To be called once: the command's output is not read before. When nobody can follow it, it is killed. */
    void follow(ExecOutput output, Executor threads) {
        OutputPumps pumps = new OutputPumps(
                "exec " + id,
                LARGEST_PIECE,
                List.of(
                        new OutputPumps.Stream("stdout", process.stdout(), output.stdout()),
                        new OutputPumps.Stream("stderr", process.stderr(), output.stderr())));
        try {
            threads.execute(() -> follow(pumps, threads));
        } catch (RuntimeException | Error e) {
            // There is no room for another thread: nobody follows it but this one.
            fail(pumps, e);
        }
    }

    private void follow(OutputPumps pumps, Executor threads) {
        try {
            pumps.start(threads);
            finish(pumps);
        } catch (IOException | RuntimeException | Error e) {
            fail(pumps, e);
        } catch (InterruptedException e) {
            fail(pumps, e);
            Thread.currentThread().interrupt();
        }
    }

    private void finish(OutputPumps pumps) throws IOException, InterruptedException {
        CompletableFuture.anyOf(child.end(), killed).join();
        if (!killed.isDone()) {
            // Also a slow reader lets nobody live longer; what is in the pipes is still handed over, at its pace.
            pumps.awaitEndWithin(DRAIN_BOUND);
        }
        containment.kill();
        ChildEnd end = child.end().join();
        stdin.abandon();
        if (!pumps.awaitEnd(DRAIN_BOUND)) {
            log.error("exec: {}: somebody who could not be found still holds its output; it is read no further", id);
            pumps.abandon();
            pumps.awaitEnd();
        }
        containment.close();
        child.forget();
        if (pumps.failed().isEmpty()) {
            finished.complete(end);
        } else {
            finished.completeExceptionally(
                    new IOException("exec " + id + ": bytes of " + String.join(" and ", pumps.failed()) + " are lost"));
        }
    }

    /** Nobody is left to follow it: what can be done without following is done. */
    private void fail(OutputPumps pumps, Throwable cause) {
        log.error("exec: {}: cannot be followed to its end", id, cause);
        attempt(cause, () -> child.signalGroup(Signal.KILL.number()));
        attempt(cause, containment::kill);
        attempt(cause, pumps::discard);
        attempt(cause, pumps::abandon);
        attempt(cause, stdin::abandon);
        attempt(cause, containment::close);
        child.forget();
        finished.completeExceptionally(cause);
    }

    interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** The next steps are worth a try when this one fails. */
    static void attempt(Throwable cause, Step step) {
        try {
            step.run();
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            cause.addSuppressed(e);
        }
    }
}

package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.linux.process.PipedProcess;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.testing.SupervisorProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of commands when something of the supervisor itself fails. */
@Timeout(60)
class ExecutionsTest {
    private static final OutputPumps.Sink NOBODY = (bytes, length) -> {};

    private static final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    /** Starts like any other, but programs called {@code slow} only when the test allows it. */
    private static final CompletableFuture<Void> slowMayStart = new CompletableFuture<>();

    private static final CountDownLatch slowIsUnderWay = new CountDownLatch(1);

    private static final ChildStarter STARTER =
            ChildStarter.ofThisProcess(new GroupLookup(Path.of("/etc/passwd")), Optional.empty());

    private static final Duration BOUND = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private Path file;

    private final Executions executions = executions(
            command -> {
                if (command.program().equals("slow")) {
                    slowIsUnderWay.countDown();
                    slowMayStart.join();
                }
                return STARTER.start(command);
            },
            threads);

    private static Executions executions(ChildStarter starter, Executor threads) {
        return new Executions(starter, new SessionContainment.Factory(), threads, OneReaper.CHILDREN);
    }

    @BeforeEach
    void makeFile() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        file = Files.createFile(directory.resolve("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    @AfterAll
    static void stopThreads() {
        threads.shutdownNow();
    }

    private static ExecCommand command(String... argv) throws ExecRefusedException {
        return ExecCommand.of(List.of(argv), SupervisorProcess.UID, Map.of("PATH", "/usr/bin:/bin"), Map.of(), "/");
    }

    private Execution start(String script) throws Exception {
        return executions.start(command("sh", "-c", script));
    }

    private static ChildEnd end(Execution execution) throws Exception {
        return execution.finished().get(30, TimeUnit.SECONDS);
    }

    @Test
    void outputThatASinkLosesIsNoGoodEnd() throws Exception {
        Execution execution = start("echo lost; exit 0");
        OutputPumps.Sink failing = (bytes, length) -> {
            throw new OutOfMemoryError("made up by the test");
        };
        executions.follow(execution, new ExecOutput(failing, NOBODY));
        assertThatThrownBy(() -> end(execution))
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessageContaining("stdout");
    }

    @Test
    void aSlowReaderLetsNobodyOutliveTheDrain() throws Exception {
        CompletableFuture<Void> reads = new CompletableFuture<>();
        CompletableFuture<Integer> daemon = new CompletableFuture<>();
        Execution execution = start("yes 4711 & echo $! >&2; exit 6");
        executions.follow(
                execution,
                new ExecOutput(
                        (bytes, length) -> reads.join(), (bytes, length) -> daemon.complete(number(bytes, length))));
        awaitGone(daemon.get(30, TimeUnit.SECONDS));
        assertThat(execution.finished()).isNotDone();
        reads.complete(null);
        assertThat(end(execution)).isEqualTo(new ChildEnd.Exited(6));
    }

    private static int number(byte[] bytes, int length) {
        return Integer.parseInt(new String(bytes, 0, length, StandardCharsets.UTF_8).strip());
    }

    /** The threads are for the one that follows, and one for each stream. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aCommandThatNobodyCanFollowIsKilled(int missing) throws Exception {
        AtomicInteger wanted = new AtomicInteger();
        Executions without = executions(STARTER, task -> {
            if (wanted.incrementAndGet() == missing) {
                throw new OutOfMemoryError("made up by the test");
            }
            threads.execute(task);
        });
        Execution execution =
                without.start(command("sh", "-c", "setsid sleep 4712 & echo $! > " + file + "; exec sleep 4713"));
        await("the daemon is there", () -> Files.readString(file).endsWith("\n"));
        without.follow(execution, new ExecOutput(NOBODY, NOBODY));
        assertThatThrownBy(() -> end(execution)).hasCauseInstanceOf(OutOfMemoryError.class);
        awaitGone(Integer.parseInt(Files.readString(file).strip()));
    }

    @Test
    void aStopWaitsForAStartAndLeavesNothingOfIt() throws Exception {
        CompletableFuture<Integer> started = new CompletableFuture<>();
        CompletableFuture<Void> mayGoOn = new CompletableFuture<>();
        Executions stopped = executions(
                command -> {
                    PipedProcess process = STARTER.start(command);
                    started.complete(process.child().pid());
                    mayGoOn.join();
                    return process;
                },
                threads);
        FutureTask<Execution> start = new FutureTask<>(() -> stopped.start(command("sleep", "4714")));
        threads.execute(start);
        int pid = started.get(30, TimeUnit.SECONDS);
        FutureTask<Integer> stop = new FutureTask<>(() -> stopped.stop(Duration.ofSeconds(20)));
        threads.execute(stop);
        await("no more is started", () -> refuses(stopped));
        assertThat(stop.isDone()).isFalse();
        mayGoOn.complete(null);
        assertThat(stop.get(30, TimeUnit.SECONDS)).isZero();
        assertThat(ProcFs.stat(pid)).isEmpty();
        assertThatThrownBy(start::get).hasCauseInstanceOf(ExecRefusedException.class);
    }

    private static boolean refuses(Executions executions) throws InterruptedException {
        try {
            executions.start(command("no-such-program"));
            return false;
        } catch (ExecRefusedException e) {
            return e.reason() == ExecRefusedException.Reason.STOPPING;
        }
    }

    private static void awaitGone(int pid) throws Exception {
        await("process " + pid + " is gone", () -> ProcFs.stat(pid).isEmpty());
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long start = System.nanoTime();
        while (!condition.call()) {
            if (System.nanoTime() - start > BOUND.toNanos()) {
                throw new AssertionError("not within " + BOUND + ": " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    @Test
    void aSlowStartHoldsUpNeitherStartsNorEnds() throws Exception {
        Execution before = start("read line; exit 4");
        executions.follow(before, new ExecOutput(NOBODY, NOBODY));
        Thread slow = Thread.ofPlatform().start(() -> {
            try {
                executions.start(command("slow"));
            } catch (ExecRefusedException | InterruptedException e) {
                // There is no such program.
            }
        });
        try {
            slowIsUnderWay.await();
            Execution meanwhile = start("exit 5");
            executions.follow(meanwhile, new ExecOutput(NOBODY, NOBODY));
            assertThat(end(meanwhile)).isEqualTo(new ChildEnd.Exited(5));
            before.stdin().close();
            assertThat(end(before)).isEqualTo(new ChildEnd.Exited(4));
        } finally {
            slowMayStart.complete(null);
            slow.join();
        }
    }

    @Test
    void aSinkThatTakesNothingMoreLosesNothing() throws Exception {
        Execution execution = start("echo refused; exit 3");
        OutputPumps.Sink full = (bytes, length) -> {
            throw new InterruptedException("enough");
        };
        executions.follow(execution, new ExecOutput(full, NOBODY));
        assertThat(end(execution)).isEqualTo(new ChildEnd.Exited(3));
    }
}

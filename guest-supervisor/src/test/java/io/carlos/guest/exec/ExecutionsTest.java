package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.OutputPumps;
import io.carlos.model.testing.SupervisorProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of commands when something of the supervisor itself fails. */
@Timeout(60)
class ExecutionsTest {
    private static final OutputPumps.Sink NOBODY = (bytes, length) -> {};

    private static final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

    /** Starts like any other, but programs called {@code slow} only when the test allows it. */
    private static final CompletableFuture<Void> slowMayStart = new CompletableFuture<>();

    private static final CountDownLatch slowIsUnderWay = new CountDownLatch(1);

    private final Executions executions = executions(threads);

    private static Executions executions(Executor threads) {
        ChildStarter starter = ChildStarter.ofThisProcess(new GroupLookup(Path.of("/etc/passwd")));
        ChildStarter sometimesSlow = command -> {
            if (command.program().equals("slow")) {
                slowIsUnderWay.countDown();
                slowMayStart.join();
            }
            return starter.start(command);
        };
        return new Executions(sometimesSlow, new SessionContainment.Factory(), threads, OneReaper.CHILDREN);
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

package io.carlos.guest.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.guest.exec.ExecRefusedException.Reason;
import io.carlos.model.linux.process.ChildEnd;
import io.carlos.model.linux.process.ProcFs;
import io.carlos.model.testing.SupervisorProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starts by a program in between that does not do what it should: a script in its place. */
@Timeout(60)
class NativeStarterTest {
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** Says who it is, and stays where a user may stop it: between the fork and the exec. */
    private static final String STOPPED = "echo $$ > \"${0%/*}/pid\"; kill -STOP $$; exit 0";

    @TempDir
    private Path directory;

    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
    private final CompletableFuture<Void> givenUp = new CompletableFuture<>();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    private Executions executions(String script) throws IOException {
        return executions(script, new SessionContainment.Factory());
    }

    private Executions executions(String script, Containment.Factory containments) throws IOException {
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        ChildStarter starter = new NativeStarter(GroupLookup.ofThisSystem(), program);
        return new Executions(starter, containments, threads, OneReaper.CHILDREN);
    }

    private Execution start(Executions executions) throws ExecRefusedException, InterruptedException {
        return executions.start(
                ExecCommand.of(List.of("tool"), SupervisorProcess.UID, Map.of(), Map.of(), "/"), givenUp);
    }

    private ExecRefusedException refusal(String script) throws IOException {
        Executions executions = executions(script);
        return catchThrowableOfType(ExecRefusedException.class, () -> start(executions));
    }

    private CompletableFuture<Execution> startMeanwhile(Executions executions) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return start(executions);
                    } catch (ExecRefusedException | InterruptedException e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
    }

    private int stoppedProcess() throws IOException {
        Path file = directory.resolve("pid");
        long start = System.nanoTime();
        while (!Files.exists(file) || !Files.readString(file).endsWith("\n")) {
            assertThat(System.nanoTime() - start).isLessThan(BOUND.toNanos());
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        return Integer.parseInt(Files.readString(file).strip());
    }

    private static Reason reasonOf(CompletableFuture<Execution> start) {
        Throwable failure = catchThrowable(() -> start.get(30, TimeUnit.SECONDS));
        assertThat(failure).cause().isInstanceOf(ExecRefusedException.class);
        return ((ExecRefusedException) failure.getCause()).reason();
    }

    @Test
    void aStoppedStartThatIsGivenUpLeavesNothing() throws Exception {
        CompletableFuture<Execution> start = startMeanwhile(executions(STOPPED));
        int pid = stoppedProcess();
        givenUp.complete(null);
        assertThat(reasonOf(start)).isEqualTo(Reason.KILLED);
        assertThat(ProcFs.stat(pid)).isEmpty();
    }

    @Test
    void aStartThatWasGivenUpBeforehandLeavesNothing() {
        givenUp.complete(null);
        assertThatThrownBy(() -> start(executions(STOPPED)))
                .isInstanceOf(ExecRefusedException.class)
                .hasMessageContaining("killed by signal 9");
    }

    @Test
    void aStopDoesNotWaitForAStoppedStart() throws Exception {
        Executions executions = executions(STOPPED);
        CompletableFuture<Execution> start = startMeanwhile(executions);
        int pid = stoppedProcess();
        assertThat(executions.stop(Duration.ofMinutes(10))).isZero();
        assertThat(reasonOf(start)).isEqualTo(Reason.STOPPING);
        assertThat(ProcFs.stat(pid)).isEmpty();
    }

    @Test
    void anInterruptedCallerLeavesNothingOfItsStart() throws Exception {
        Executions executions = executions(STOPPED);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            Throwable failure = catchThrowable(() -> start(executions));
            interrupted.complete(failure instanceof InterruptedException
                    || Thread.currentThread().isInterrupted());
        });
        int pid = stoppedProcess();
        caller.interrupt();
        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isTrue();
        long start = System.nanoTime();
        while (ProcFs.stat(pid).isPresent()) {
            assertThat(System.nanoTime() - start).isLessThan(BOUND.toNanos());
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    @Test
    void whoIsKilledBeforeItsProgramRunsIsNoFailureOfTheSupervisor() throws Exception {
        ExecRefusedException refusal = refusal("kill -KILL $$");
        assertThat(refusal.reason()).isEqualTo(Reason.KILLED);
        assertThat(refusal).hasMessageContaining("signal 9");
    }

    @Test
    void aProgramThatEndsWithoutAWordIsAnother() throws Exception {
        Executions executions = executions("exit 0");
        assertThatThrownBy(() -> start(executions))
                .isInstanceOf(StartBrokenOffException.class)
                .hasMessageContaining("same version");
    }

    /** The kernel reports that to the reader as a broken connection, behind what was said. */
    @Test
    void aReportOfWhoDidNotReadItsRequestCounts() throws Exception {
        String afterOneByte = "dd bs=1 count=1 <&3 >/dev/null 2>&1; ";
        assertThat(refusal(afterOneByte + "printf '\\005\\000\\000\\000\\002' >&3")
                        .reason())
                .isEqualTo(Reason.NOT_FOUND);
    }

    /** Steps from 1 on, as the native program numbers them. */
    @ParameterizedTest
    @CsvSource({
        "1, 12, NO_ROOM, REQUEST",
        "2, 11, NO_ROOM, CONTROL_GROUP",
        "3, 1, IDENTITY, not permitted",
        "3, 11, NO_ROOM, IDENTITY",
        "4, 40, ARGUMENT, errno 40",
        "5, 13, NOT_EXECUTABLE, may execute",
        "6, 26, NOT_EXECUTABLE, open for writing"
    })
    void aStepThatFailsIsRefusedWithItsErrorNumber(int step, int errno, Reason reason, String text) throws Exception {
        ExecRefusedException refusal = refusal("printf '\\%03o\\000\\000\\000\\%03o' >&3".formatted(step, errno));
        assertThat(refusal.reason()).isEqualTo(reason);
        assertThat(refusal).hasMessageContaining(text);
    }

    @Test
    void aControlGroupThatIsNotThereIsAFailureOfTheSupervisor() throws Exception {
        Executions executions = executions("printf '\\002\\000\\000\\000\\002' >&3");
        assertThatThrownBy(() -> start(executions)).isInstanceOf(IllegalStateException.class);
    }

    /** A containment that takes nobody in. */
    private static final class FullContainment implements Containment.Factory {
        private final StringBuilder log = new StringBuilder();

        @Override
        public ExecCommand prepare(String execId, ExecCommand command) {
            return command;
        }

        @Override
        public Containment contain(String execId, Children.Child child) throws IOException {
            throw new IOException("too many open files, as the test says");
        }

        @Override
        public void kill(String execId) {
            log.append("kill ");
        }

        @Override
        public void abandon(String execId) {
            log.append("abandon ");
        }
    }

    /** In a session of its own and without a mark, so that nothing but the containment finds the child. */
    @Test
    void aCommandThatCannotBeContainedIsKilled() throws Exception {
        FullContainment full = new FullContainment();
        Executions executions = executions("echo $$ > \"${0%/*}/pid\"; printf '\\000' >&3; exec sleep 4715 3>&-", full);
        Throwable refusal = catchThrowable(() -> start(executions));
        assertThat(refusal).isInstanceOf(ExecRefusedException.class).hasMessageContaining("cannot be contained");
        assertThat(ProcFs.stat(stoppedProcess())).isEmpty();
        assertThat(full.log).hasToString("kill abandon ");
    }

    @Test
    void whatSaysThatItIsReadyAndGoesAwayWasACommand() throws Exception {
        Executions executions = executions("printf '\\000' >&3; exit 3");
        Execution execution = start(executions);
        executions.follow(execution, new ExecOutput((bytes, length) -> {}, (bytes, length) -> {}));
        assertThat(execution.finished().get(30, TimeUnit.SECONDS)).isEqualTo(new ChildEnd.Exited(3));
    }
}

package io.carlos.agent.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carlos.agent.container.CommandException.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are run to their end, or not at all. */
abstract class ExecRows extends ContainerFixture {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 126, 127, 255})
    void exitStatusIsInTheAnswer(int status) throws Exception {
        assertThat(shell("exit " + status).exitCode()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"KILL, 137", "SEGV, 139", "TERM, 143"})
    void deathBySignalIsAnExitCodeAsAShellTellsIt(String signal, int code) throws Exception {
        assertThat(shell("kill -" + signal + " $$").exitCode()).isEqualTo(code);
    }

    @Test
    void outputsAreKeptApartAndWhole() throws Exception {
        ExecOutput output = shell("echo out; echo err >&2");
        assertThat(text(output.stdout())).isEqualTo("out\n");
        assertThat(text(output.stderr())).isEqualTo("err\n");
    }

    @Test
    void binaryInputComesBackByteForByte() throws Exception {
        long seed = System.nanoTime();
        byte[] bytes = new byte[1_500_000];
        new Random(seed).nextBytes(bytes);
        assertThat(exec(ExecSpec.of("cat").withStdin(bytes)).stdout())
                .as("seed %d", seed)
                .isEqualTo(bytes);
    }

    @Test
    void commandWithoutInputReadsItsEnd() throws Exception {
        assertThat(outputOf("cat; echo end")).isEqualTo("end\n");
    }

    @Test
    void inputThatNobodyReadsHoldsUpNobody() throws Exception {
        assertThat(exec(ExecSpec.of("sh", "-c", "exec <&-; exit 4").withStdin(new byte[1_500_000]))
                        .exitCode())
                .isEqualTo(4);
    }

    @Test
    void environmentValuesArriveAsTheyAre() throws Exception {
        ExecOutput output = exec(ExecSpec.of("sh", "-c", "printf '[%s]' \"${EMPTY-unset}\" \"$LINES_OF\" \"$SIGNS\"")
                .withEnvironment(Map.of("EMPTY", "", "LINES_OF", "one\ntwo\n", "SIGNS", " ä=\"'$x\\ \u2603 ")));
        assertThat(text(output.stdout())).isEqualTo("[][one\ntwo\n][ ä=\"'$x\\ \u2603 ]");
    }

    @Test
    void workingDirectoryIsTheOneAskedFor() throws Exception {
        assertThat(text(exec(ExecSpec.of("pwd").withWorkingDirectory("/usr")).stdout()))
                .isEqualTo("/usr\n");
    }

    @Test
    void missingWorkingDirectoryIsRefused() {
        assertThat(refusal(ExecSpec.of("true").withWorkingDirectory("/no/such")))
                .isEqualTo(Reason.INVALID);
    }

    @Test
    void workingDirectoryThatTheUserMayNotEnterIsRefused() throws Exception {
        String closed = workspaceInside() + "/closed";
        outputOf("mkdir -m 0 " + closed);
        assertThat(refusal(ExecSpec.of("true").withWorkingDirectory(closed))).isEqualTo(Reason.INVALID);
        outputOf("rmdir " + closed);
    }

    @Test
    void emptyCommandIsRefused() {
        assertThat(refusal(ExecSpec.of())).isEqualTo(Reason.INVALID);
    }

    @Test
    void badEnvironmentNameIsRefused() {
        assertThat(refusal(ExecSpec.of("true").withEnvironment(Map.of("A=B", "x"))))
                .isEqualTo(Reason.INVALID);
    }

    @Test
    void unknownProgramIsToldFromTheStatus127() {
        assertThat(refusal(ExecSpec.of("no-such-program"))).isEqualTo(Reason.NOT_FOUND);
    }

    @Test
    void uid0IsRefused() {
        assertThat(refusal(ExecSpec.of("id").withUid(0))).isEqualTo(Reason.DENIED);
    }

    @Test
    void absentUidIsTheContainersOwn() throws Exception {
        assertThat(outputOf("id -u")).isEqualTo(uid() + "\n");
    }

    @Test
    void uidWithoutANameRuns() throws Exception {
        ExecOutput output = exec(ExecSpec.of("id", "-u").withUid(unknownUid()));
        assertThat(text(output.stdout())).isEqualTo(unknownUid() + "\n");
    }

    @Test
    void timeoutHasItsOwnTypeAndLeavesNothing() throws Exception {
        assertThatThrownBy(() -> exec(ExecSpec.of("sleep", "3904").withTimeout(Duration.ofSeconds(1))))
                .isInstanceOf(CommandTimeoutException.class);
        awaitSleeping(shared(), "3904", false);
    }

    @Test
    void interruptedCallerKillsItsCommand() throws Exception {
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            try {
                end.completeExceptionally(new AssertionError(
                        "exit " + exec(ExecSpec.of("sleep", "3901")).exitCode()));
            } catch (IOException | InterruptedException e) {
                end.complete(e);
            }
        });
        awaitSleeping(shared(), "3901", true);
        caller.interrupt();
        assertThat(end.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        awaitSleeping(shared(), "3901", false);
    }

    @Test
    void hundredCommandsAtOnceEachKeepTheirOwnEnd() throws Exception {
        List<Future<Integer>> ends = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                int status = i;
                ends.add(threads.submit(() -> shell("sleep 0.2; exit " + status).exitCode()));
            }
        }
        List<Integer> statuses = new ArrayList<>();
        for (Future<Integer> end : ends) {
            statuses.add(end.get());
        }
        assertThat(statuses).isEqualTo(IntStream.range(0, 100).boxed().toList());
    }

    @Test
    void burstOfZombiesIsReaped() throws Exception {
        outputOf("for i in $(seq 32); do (true &) ; done");
        await(
                "no zombie",
                () -> shell("grep -lsE '^State:.Z' /proc/[0-9]*/status | while read f; do"
                                        + " grep -q \"^PPid:.$PPID\\$\" $f && exit 1; done; exit 0")
                                .exitCode()
                        == 0);
    }

    @Test
    void grandchildThatHoldsTheOutputIsNotWaitedForWithoutBound() throws Exception {
        assertThat(outputOf("sleep 3905 & echo done")).isEqualTo("done\n");
        awaitSleeping(shared(), "3905", false);
    }
}

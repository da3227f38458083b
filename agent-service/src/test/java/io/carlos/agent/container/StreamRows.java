package io.carlos.agent.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.carlos.agent.container.CommandException.Reason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Commands with their streams attached. */
abstract class StreamRows extends ExecRows {
    @Test
    void streamedInputArrivesWhole() throws Exception {
        long seed = System.nanoTime();
        byte[] bytes = new byte[1_500_000];
        new Random(seed).nextBytes(bytes);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        try (StreamingExec exec = stream("sha256sum")) {
            exec.stdin().write(bytes);
            exec.stdin().close();
            assertThat(text(exec.stdout())).as("seed %d", seed).startsWith(hash);
            assertThat(exec.child().waitFor()).isZero();
        }
    }

    @Test
    void sevenHundredThousandWritesOfOneByteArriveWhole() throws Exception {
        // Each is a write of its own: dd hands on every block as it is.
        try (StreamingExec exec = stream("dd if=/dev/zero bs=1 count=700000 2>/dev/null")) {
            assertThat(exec.stdout().readAllBytes()).hasSize(700_000);
            assertThat(exec.child().waitFor()).isZero();
        }
    }

    @Test
    void bothStreamsEndWithTheCommandWhoseStatusIsKept() throws Exception {
        try (StreamingExec exec = stream("printf out; printf err >&2; exit 3")) {
            assertThat(text(exec.stdout())).isEqualTo("out");
            assertThat(text(exec.stderr())).isEqualTo("err");
            assertThat(exec.child().waitFor()).isEqualTo(3);
            assertThat(exec.child().waitFor()).isEqualTo(3);
        }
    }

    @Test
    void interleavedStreamsArriveInFull() throws Exception {
        String script = "i=0; while [ $i -lt 2000 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done";
        ExecOutput output = shell(script);
        assertThat(text(output.stdout()).lines()).hasSize(2000).last().isEqualTo("o1999");
        assertThat(text(output.stderr()).lines()).hasSize(2000).last().isEqualTo("e1999");
    }

    @Test
    void dialogueGoesToAndFro() throws Exception {
        try (StreamingExec exec = stream("while read line; do echo \"<$line>\"; done; echo end")) {
            for (String word : new String[] {"one", "two", "three"}) {
                exec.stdin().write((word + "\n").getBytes(StandardCharsets.UTF_8));
                exec.stdin().flush();
                assertThat(text(exec.stdout().readNBytes(word.length() + 3))).isEqualTo("<" + word + ">\n");
            }
            exec.stdin().close();
            assertThat(text(exec.stdout())).isEqualTo("end\n");
        }
    }

    @Test
    void slowReaderMakesTheCommandWait() throws Exception {
        try (StreamingExec exec = stream("head -c 20000000 /dev/zero; exit 2")) {
            assertThat(text(runtimeStillAnswers().stdout())).isEqualTo("yes\n");
            long total = exec.stdout().transferTo(OutputStream.nullOutputStream());
            assertThat(total).isEqualTo(20_000_000);
            assertThat(exec.child().waitFor()).isEqualTo(2);
        }
    }

    private ExecOutput runtimeStillAnswers() throws IOException, InterruptedException {
        return shell("echo yes");
    }

    @Test
    void closedOutputHoldsUpNobody() throws Exception {
        try (StreamingExec exec = stream("head -c 20000000 /dev/zero; printf done >&2")) {
            exec.stdout().close();
            assertThat(text(exec.stderr())).isEqualTo("done");
        }
    }

    @Test
    void writingToACommandThatHasEndedFails() throws Exception {
        try (StreamingExec exec = stream("exit 0")) {
            OutputStream stdin = exec.stdin();
            assertThat(exec.child().waitFor()).isZero();
            assertThatThrownBy(() -> {
                        stdin.write(new byte[10]);
                        stdin.flush();
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void unknownProgramIsRefusedBeforeThereIsAStream() {
        assertThat(catchThrowableOfType(
                                CommandException.class,
                                () -> runtime().execStreaming(shared(), StreamingExecSpec.of("no-such-program")))
                        .reason())
                .isEqualTo(Reason.NOT_FOUND);
    }

    @Test
    void killIsToldByItsSignalAndMayBeRepeated() throws Exception {
        try (StreamingExec exec = stream("echo ready; sleep 3902")) {
            assertThat(exec.stdout().readNBytes(6)).hasSize(6);
            exec.child().kill();
            exec.child().kill();
            ExitStatusException end = catchThrowableOfType(
                    ExitStatusException.class, () -> exec.child().waitFor());
            assertThat(end.signal()).isEqualTo(9);
            assertThat(end.code()).isEqualTo(137);
            assertThat(end.isDeliberateKill()).isTrue();
            exec.child().kill();
            exec.child().terminate();
        }
        awaitSleeping(shared(), "3902", false);
    }

    @Test
    void killEndsACommandWhoseOutputNobodyReads() throws Exception {
        try (StreamingExec exec = stream("yes 3903")) {
            exec.child().kill();
            assertThatThrownBy(() -> exec.child().waitFor()).isInstanceOf(ExitStatusException.class);
        }
    }

    @Test
    void signalOfAnotherKindIsNoDeliberateKill() throws Exception {
        try (StreamingExec exec = stream("kill -USR1 $$")) {
            ExitStatusException end = catchThrowableOfType(
                    ExitStatusException.class, () -> exec.child().waitFor());
            assertThat(end.signal()).isEqualTo(10);
            assertThat(end.isDeliberateKill()).isFalse();
        }
    }

    @Test
    void trappedTermEndsWithTheCommandsOwnStatus() throws Exception {
        try (StreamingExec exec = stream("trap 'exit 21' TERM; echo set; while :; do sleep 0.05; done")) {
            assertThat(exec.stdout().readNBytes(4)).hasSize(4);
            exec.child().terminate();
            assertThat(exec.child().waitFor()).isEqualTo(21);
        }
    }

    @Test
    void killAfterTheExitChangesNothing() throws Exception {
        try (StreamingExec exec = stream("exit 5")) {
            assertThat(exec.child().waitFor()).isEqualTo(5);
            exec.child().kill();
            assertThat(exec.child().waitFor()).isEqualTo(5);
        }
    }

    @Test
    void closingGivesTheCommandUp() throws Exception {
        try (StreamingExec exec = stream("echo ready; sleep 3906")) {
            assertThat(exec.stdout().readNBytes(6)).hasSize(6);
        }
        awaitSleeping(shared(), "3906", false);
    }
}

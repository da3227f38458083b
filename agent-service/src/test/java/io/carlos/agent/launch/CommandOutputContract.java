package io.carlos.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.OutputChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What becomes of what a command prints. */
abstract class CommandOutputContract extends CommandEndContract {
    @Test
    void streamsAreKeptApart() throws Exception {
        Running running = shell("echo to stdout; echo to stderr >&2");
        running.finish();
        assertThat(running.sink().stdout()).isEqualTo("to stdout\n");
        assertThat(running.sink().stderr()).isEqualTo("to stderr\n");
    }

    @Test
    void binaryOutputArrivesByteForByte() throws Exception {
        long seed = RANDOM.nextLong();
        byte[] content = new byte[300_001];
        new Random(seed).nextBytes(content);
        LaunchRequest request = request(Map.of(), "sh", "-c", "cat input; cat input >&2");
        Files.write(request.runDirectory().resolve("input"), content);
        Running running = start(launcher(BOUND), request, new RecordingSink());
        running.finish();
        assertThat(running.sink().bytes(OutputChannel.STDOUT))
                .as("seed %d", seed)
                .isEqualTo(content);
        assertThat(running.sink().bytes(OutputChannel.STDERR))
                .as("seed %d", seed)
                .isEqualTo(content);
    }

    @Test
    void sixtyFourMebibytesArriveInFull() throws Exception {
        int size = 64 << 20;
        Running running = start("head", "-c", Integer.toString(size), "/dev/zero");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(running.sink().bytes(OutputChannel.STDOUT)).hasSize(size);
    }

    @Test
    void bothStreamsFullAtOnceDoNotWaitForEachOther() throws Exception {
        int size = 1 << 20;
        Running running = shell("head -c " + size + " /dev/zero >&2; head -c " + size + " /dev/zero & " + "head -c "
                + size + " /dev/zero >&2; wait");
        assertThat(running.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(running.sink().bytes(OutputChannel.STDOUT)).hasSize(size);
        assertThat(running.sink().bytes(OutputChannel.STDERR)).hasSize(2 * size);
    }

    @Test
    void stalledSinkHoldsItsOwnCommandAndNoOther() throws Exception {
        RunLauncher launcher = launcher(BOUND);
        StalledSink stalled = new StalledSink();
        int size = 4 << 20;
        Running held = start(launcher, request(Map.of(), "head", "-c", "" + size, "/dev/zero"), stalled);
        stalled.awaitCaller();
        Running free = start(launcher, request(Map.of(), "head", "-c", "" + size, "/dev/zero"), new RecordingSink());
        assertThat(free.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(free.sink().bytes(OutputChannel.STDOUT)).hasSize(size);
        assertThat(held.run().awaitEnd(Duration.ZERO)).isEmpty();

        stalled.open();
        assertThat(held.finish()).isEqualTo(new CommandEnd.Exited(0, ""));
        assertThat(stalled.bytes(OutputChannel.STDOUT)).hasSize(size);
    }

    @Test
    void sinkThatSlowsTheCommandDownHoldsUpNeitherItsEndNorItsStop() throws Exception {
        SlowingSink slowing = new SlowingSink();
        Running running = start(launcher(BOUND), request(Map.of(), "sh", "-c", "echo hello; exit 3"), slowing);
        slowing.awaitCaller();
        assertThat(running.run().awaitEnd(BOUND)).contains(new CommandEnd.Exited(3, ""));
        assertThat(running.run().stop(LONG_GRACE)).isEqualTo(new CommandEnd.Exited(3, ""));
        assertThat(slowing.stdout()).isEqualTo("hello\n");
    }

    @Test
    void sinkThatGivesUpEndsTheStreamAndNotTheStop() throws Exception {
        RecordingSink givingUp = new RecordingSink() {
            @Override
            public synchronized void write(OutputChannel channel, byte[] bytes, int offset, int length)
                    throws InterruptedException {
                assertThat(stdout()).isEmpty();
                super.write(channel, bytes, offset, length);
                throw new InterruptedException("the run is given up");
            }
        };
        Running running = start(launcher(BOUND), request(Map.of(), "yes"), givingUp);
        assertThat(running.run().awaitEnd(BOUND))
                .as("yes, which nobody reads any more")
                .isPresent();
        assertThat(running.run().stop(LONG_GRACE).note()).isEmpty();
        assertThat(givingUp.bytes(OutputChannel.STDOUT)).isNotEmpty();
    }
}

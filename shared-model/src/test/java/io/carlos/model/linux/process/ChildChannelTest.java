package io.carlos.model.linux.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChildChannelTest {
    private static final int LIMIT = 1_000;
    private static final UserIdentity OWNER =
            StarterThread.ownIdentity().orElseGet(() -> new UserIdentity(65_534, 65_534));

    private static PipedProcess shell(String script, ChildChannel channel) throws ProcessCallException {
        SpawnRequest request =
                new SpawnRequest("/bin/sh", List.of("sh", "-c", script), Map.of("PATH", "/usr/bin:/bin"), Path.of("/"));
        return PosixSpawn.spawnPiped(request, OWNER, channel);
    }

    private static void finish(PipedProcess process) throws ProcessCallException {
        process.closeStreams();
        process.child().awaitEnd();
        process.child().reap();
    }

    private static String read(ChildChannel channel) throws ProcessCallException {
        return new String(channel.readToEnd(LIMIT), StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrittenTheChildReadsAndTheOtherWayRound() throws Exception {
        try (ChildChannel channel = ChildChannel.open()) {
            PipedProcess process = shell("head -c 1000000 <&3 | wc -c >&3", channel);
            channel.write(new byte[1_000_000]);
            assertThat(read(channel).strip()).isEqualTo("1000000");
            finish(process);
        }
    }

    @Test
    void theChildHasNoDescriptorBehindIt() throws Exception {
        try (ChildChannel channel = ChildChannel.open()) {
            PipedProcess process = shell("exec ls /proc/self/fd >&3", channel);
            // The last is the directory that is listed.
            assertThat(read(channel)).isEqualTo("0\n1\n2\n3\n4\n");
            finish(process);
        }
    }

    @Test
    void whatComesWithinTheBoundIsReadAndThenItsEnd() throws Exception {
        try (ChildChannel channel = ChildChannel.open()) {
            byte[] buffer = new byte[10];
            PipedProcess process = shell("read line <&3; printf word >&3", channel);
            assertThat(channel.readWithin(buffer, Duration.ZERO)).isZero();
            channel.write("\n".getBytes(StandardCharsets.UTF_8));
            assertThat(channel.readWithin(buffer, Duration.ofMinutes(1))).isEqualTo(4);
            assertThat(channel.readWithin(buffer, Duration.ofMinutes(1))).isEqualTo(ChildChannel.END);
            finish(process);
        }
    }

    @Test
    void itKnowsWhetherTheChildHasReadEverything() throws Exception {
        try (ChildChannel channel = ChildChannel.open()) {
            PipedProcess process = shell("read line; head -c 4 <&3 >/dev/null; printf read >&3; read line", channel);
            channel.write(new byte[4]);
            assertThat(channel.hasReadEverything()).isFalse();
            process.stdin().write("\n".getBytes(StandardCharsets.UTF_8));
            assertThat(channel.readWithin(new byte[10], Duration.ofMinutes(1))).isEqualTo(4);
            assertThat(channel.hasReadEverything()).isTrue();
            finish(process);
        }
    }

    @Test
    void itEndsWithTheChild() throws Exception {
        try (ChildChannel channel = ChildChannel.open()) {
            PipedProcess process = shell("exit 0", channel);
            assertThat(read(channel)).isEmpty();
            assertThat(catchThrowableOfType(ProcessCallException.class, () -> channel.write(new byte[1]))
                            .errno())
                    .isEqualTo(ProcessCallException.EPIPE);
            finish(process);
        }
    }
}

package io.carlos.agent.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carlos.model.runs.OutputChannel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** Keeps what it is given, by channel. */
public class RecordingSink implements OutputSink {
    private final Map<OutputChannel, ByteArrayOutputStream> received = new EnumMap<>(OutputChannel.class);

    public RecordingSink() {
        for (OutputChannel channel : OutputChannel.values()) {
            received.put(channel, new ByteArrayOutputStream());
        }
    }

    @Override
    public synchronized void write(OutputChannel channel, byte[] bytes, int offset, int length)
            throws InterruptedException {
        received.get(channel).write(bytes, offset, length);
        notifyAll();
    }

    public synchronized byte[] bytes(OutputChannel channel) {
        return received.get(channel).toByteArray();
    }

    public String text(OutputChannel channel) {
        return new String(bytes(channel), StandardCharsets.UTF_8);
    }

    public String stdout() {
        return text(OutputChannel.STDOUT);
    }

    public String stderr() {
        return text(OutputChannel.STDERR);
    }

    public synchronized void awaitStdout(String expected, Duration bound) throws InterruptedException {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!stdout().contains(expected)) {
            long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            assertThat(left)
                    .as("waiting for \"%s\", got \"%s\"", expected, stdout())
                    .isPositive();
            wait(left);
        }
    }
}

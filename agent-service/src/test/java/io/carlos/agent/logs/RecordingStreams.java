package io.carlos.agent.logs;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Keeps what each connection brought. */
class RecordingStreams {
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final List<String> ended = new ArrayList<>();
    private int opened;

    /** What a sink does before it takes bytes over. */
    interface Gate {
        void pass() throws InterruptedException;
    }

    StreamSink open() {
        return open(() -> {});
    }

    synchronized StreamSink open(Gate gate) {
        opened++;
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        return new StreamSink() {
            @Override
            public void write(byte[] bytes, int offset, int length) throws InterruptedException {
                blocked.countDown();
                gate.pass();
                received.write(bytes, offset, length);
            }

            @Override
            public void end() {
                addEnded(received.toString(StandardCharsets.UTF_8));
            }
        };
    }

    private synchronized void addEnded(String text) {
        ended.add(text);
    }

    void awaitBlocked() throws InterruptedException {
        blocked.await();
    }

    synchronized int opened() {
        return opened;
    }

    /** The whole text of each connection that has ended. */
    synchronized List<String> ended() {
        return List.copyOf(ended);
    }
}

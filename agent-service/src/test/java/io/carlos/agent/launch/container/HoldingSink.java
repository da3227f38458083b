package io.carlos.agent.launch.container;

import io.carlos.agent.launch.RecordingSink;
import io.carlos.model.runs.OutputChannel;
import java.util.concurrent.CountDownLatch;

/** Holds every caller, as a store does that is away, until it is opened; from then on it records. */
final class HoldingSink extends RecordingSink {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @Override
    public void write(OutputChannel channel, byte[] bytes, int offset, int length) throws InterruptedException {
        reached.countDown();
        opened.await();
        super.write(channel, bytes, offset, length);
    }

    void awaitCaller() throws InterruptedException {
        reached.await();
    }

    void open() {
        opened.countDown();
    }
}

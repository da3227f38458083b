package io.carlos.agent.launch;

import io.carlos.model.runs.OutputChannel;
import java.util.concurrent.CountDownLatch;

/** Holds every caller, as a store does that is away, until it is opened; from then on it records. */
public class StalledSink extends RecordingSink {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    @Override
    public void write(OutputChannel channel, byte[] bytes, int offset, int length) throws InterruptedException {
        reached.countDown();
        opened.await();
        super.write(channel, bytes, offset, length);
    }

    public void awaitCaller() throws InterruptedException {
        reached.await();
    }

    public void open() {
        opened.countDown();
    }
}

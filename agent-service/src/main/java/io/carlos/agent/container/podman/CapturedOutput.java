package io.carlos.agent.container.podman;

import io.carlos.model.linux.process.OutputPumps;
import java.io.ByteArrayOutputStream;

/** Collects one stream of a command, up to a limit. What is over it is not cut off: the command is given up. */
final class CapturedOutput implements OutputPumps.Sink {
    /** As much as a virtual machine's supervisor takes. */
    static final int LIMIT = 8 * 1024 * 1024;

    private final Runnable onOverflow;
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();
    private boolean over;

    /** @param onOverflow gives the command up */
    CapturedOutput(Runnable onOverflow) {
        this.onOverflow = onOverflow;
    }

    @Override
    public synchronized void write(byte[] bytes, int length) {
        if (!over && length > LIMIT - collected.size()) {
            over = true;
            collected.reset();
            onOverflow.run();
        }
        // What is over is read on: podman would die of a pipe that nobody reads, and tell no end.
        if (!over) {
            collected.write(bytes, 0, length);
        }
    }

    synchronized boolean isOver() {
        return over;
    }

    /** To be asked once the stream has ended. */
    synchronized byte[] content() {
        return collected.toByteArray();
    }
}

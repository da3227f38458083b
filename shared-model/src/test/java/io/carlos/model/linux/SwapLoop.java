package io.carlos.model.linux;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A hostile neighbour that exchanges two names as fast as it can, until it is closed. */
public final class SwapLoop implements AutoCloseable {
    private final AtomicLong swaps = new AtomicLong();
    private final Thread thread;
    private volatile boolean stopped;

    public SwapLoop(Path one, Path other) {
        thread = Thread.ofPlatform().name("swap loop").start(() -> {
            while (!stopped) {
                int result = LinuxTestCalls.LIBC.renameat2(
                        LinuxTestCalls.AT_FDCWD,
                        one.toString(),
                        LinuxTestCalls.AT_FDCWD,
                        other.toString(),
                        LinuxTestCalls.RENAME_EXCHANGE);
                if (result == 0) {
                    swaps.incrementAndGet();
                }
            }
        });
    }

    /** Waits until the names were exchanged that many times more. */
    public void awaitSwaps(int count) {
        long enough = swaps.get() + count;
        while (swaps.get() < enough) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the swap loop ended", e);
        }
    }
}

package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The platform threads that wait for the disk. A native call keeps the carrier of the virtual thread that makes it, and
 * there are only as many carriers as processors: a few syncs at once would stop everything else in the process. What runs
 * here only does input and output and never waits for a lock, so the pool cannot be clogged by waiting.
 */
final class DiskThreads implements AutoCloseable {
    private static final int MAX_THREADS = 16;
    private static final long IDLE_SECONDS = 10;

    private final Tuning.DirectorySync directorySync;
    private final ThreadPoolExecutor executor;

    DiskThreads(Tuning.DirectorySync directorySync) {
        this.directorySync = directorySync;
        executor = new ThreadPoolExecutor(
                MAX_THREADS,
                MAX_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("store-disk-", 0).factory());
        executor.allowCoreThreadTimeOut(true);
    }

    /** Makes the call where it keeps no carrier, and waits for it; an interrupt stays pending and does not end the waiting. */
    <T extends @Nullable Object> T call(DiskCall<T> call) throws IOException {
        return Thread.currentThread().isVirtual() ? await(start(call)) : call.call();
    }

    /** Makes the names in a directory durable. */
    void sync(Directory directory) throws IOException {
        call(() -> {
            directorySync.sync(directory);
            return null;
        });
    }

    /** Makes the call beside the caller, who must {@link #await} it. */
    <T extends @Nullable Object> CompletableFuture<T> start(DiskCall<T> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                future.complete(call.call());
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    static <T extends @Nullable Object> T await(CompletableFuture<T> future) throws IOException {
        try {
            return future.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException io -> throw io;
                case RuntimeException runtime -> throw runtime;
                case Error error -> throw error;
                case null, default -> throw e;
            }
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}

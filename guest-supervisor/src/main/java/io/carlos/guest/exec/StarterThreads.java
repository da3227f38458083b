package io.carlos.guest.exec;

import io.carlos.model.linux.process.ProcessCallException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The threads that start commands and do nothing else, because they may have given up what no command may have. There
 * is one for each start that is under way: a program on a file system that hangs holds up no other.
 */
final class StarterThreads implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("starter-", 0).factory());

    private final ThreadLocal<Boolean> prepared;

    StarterThreads(ChildStarter starter) {
        prepared = ThreadLocal.withInitial(() -> {
            try {
                starter.prepareThread();
                return true;
            } catch (ProcessCallException e) {
                throw new UncheckedIOException("no command can be started without privileges", e);
            }
        });
    }

    /** Makes the call on such a thread, and throws what it throws. */
    <T> T call(Callable<T> start) throws ExecRefusedException, InterruptedException {
        try {
            return threads.submit(() -> {
                        prepared.get();
                        return start.call();
                    })
                    .get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case ExecRefusedException refused -> throw refused;
                case RuntimeException failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException("a command could not be started", e.getCause());
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

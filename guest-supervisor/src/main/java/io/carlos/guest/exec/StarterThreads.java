package io.carlos.guest.exec;

import io.carlos.model.linux.process.ProcessCallException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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

    /**
     * Makes the call on such a thread, and throws what it throws. An interrupted caller also waits for its end, so that
     * nobody forgets what came of it, and stays interrupted.
     *
     * @param hurry brings the end of the call about; run when the caller is interrupted
     */
    <T> T call(Callable<T> start, Runnable hurry) throws ExecRefusedException {
        Future<T> result = threads.submit(() -> {
            prepared.get();
            return start.call();
        });
        try {
            return await(result, hurry);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case ExecRefusedException refused -> throw refused;
                case RuntimeException failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException("a command could not be started", e.getCause());
            }
        }
    }

    private static <T> T await(Future<T> result, Runnable hurry) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    hurry.run();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

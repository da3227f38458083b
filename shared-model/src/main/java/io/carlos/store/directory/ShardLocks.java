package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.linux.LinuxFile;
import io.carlos.store.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One lock for each of 256 parts of all keys, held against other processes by {@code flock(2)} on a file and against
 * other threads by a mutex that is taken first. The kernel lets go of the former when its holder dies.
 *
 * <p>The file lock is asked for again and again rather than waited for in the kernel: a native wait keeps the carrier of
 * a virtual thread, so that a few waiters could stop the very thread that they wait for, and it would have no end if a
 * stopped process held the lock.
 */
final class ShardLocks implements AutoCloseable {
    private static final int HASH_DIGITS = 2;
    private static final int MODE = 0660;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Directory locks;
    private final Duration patience;
    private final Map<String, Shard> shards = new ConcurrentHashMap<>();

    /** @param patience how long to wait for another process before giving up */
    ShardLocks(Directory locks, Duration patience) {
        this.locks = locks;
        this.patience = patience;
    }

    /** Waits for the lock of a key's shard, interrupted or not, and holds it until the answer is closed. */
    Held hold(ObjectKey key) throws IOException {
        String name = KeyHash.bucket(key, HASH_DIGITS);
        Shard shard = shards.computeIfAbsent(name, Shard::new);
        shard.mutex.lock();
        try {
            shard.lockFile();
        } catch (IOException | RuntimeException e) {
            shard.mutex.unlock();
            throw e;
        }
        return shard;
    }

    @Override
    public void close() throws IOException {
        for (Shard shard : shards.values()) {
            shard.closeFile();
        }
    }

    /** A lock that is held. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    private final class Shard implements Held {
        private final String name;
        private final ReentrantLock mutex = new ReentrantLock();
        private @Nullable LinuxFile file;

        Shard(String name) {
            this.name = name;
        }

        void lockFile() throws IOException {
            long deadline = System.nanoTime() + patience.toNanos();
            while (true) {
                LinuxFile current = file == null ? locks.openOrCreateFile(name, MODE) : file;
                file = current;
                await(current, deadline);
                if (current.status().links() > 0) {
                    return;
                }
                // Somebody has removed the file, so others lock a new one: this lock excludes nobody.
                file = null;
                current.close();
            }
        }

        private void await(LinuxFile lock, long deadline) throws IOException {
            boolean interrupted = false;
            try {
                long pause = FIRST_PAUSE_NANOS;
                while (!lock.tryLock()) {
                    if (System.nanoTime() - deadline >= 0) {
                        throw new IOException(lock + ": expected to be free within " + patience.toSeconds()
                                + " s, but another process holds it; see which with: fuser " + lock);
                    }
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
                    // A pending interrupt would turn the pauses into a busy loop.
                    interrupted |= Thread.interrupted();
                    pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void close() {
            try {
                if (file != null) {
                    file.unlock();
                }
            } catch (LinuxException e) {
                throw new IllegalStateException("an open file could not be unlocked", e);
            } finally {
                mutex.unlock();
            }
        }

        void closeFile() throws IOException {
            mutex.lock();
            try {
                if (file != null) {
                    file.close();
                    file = null;
                }
            } finally {
                mutex.unlock();
            }
        }
    }
}

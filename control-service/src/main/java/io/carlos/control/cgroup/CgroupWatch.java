package io.carlos.control.cgroup;

import io.carlos.model.names.UnitName;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits until no process of a unit lives. The kernel tells the watcher of a control group's directory when its
 * {@code cgroup.events} changes; a slow look at the file is there for events that never come. All waits share one
 * inotify descriptor, of which a user has few.
 */
public final class CgroupWatch implements AutoCloseable {
    private static final long BACKSTOP_NANOS = Duration.ofMillis(100).toNanos();

    private final Cgroups cgroups;
    private final WatchService events;
    private final WaitListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Path, Watched> watched = new HashMap<>();
    private long changes;

    /** A directory that somebody waits for. */
    private static final class Watched {
        private final WatchKey key;
        private int waiters;

        Watched(WatchKey key) {
            this.key = key;
        }
    }

    /** Told of every wait that did not end at once. */
    @FunctionalInterface
    public interface WaitListener {
        void waited(boolean empty, Duration time);
    }

    private CgroupWatch(Cgroups cgroups, WatchService events, WaitListener listener) {
        this.cgroups = cgroups;
        this.events = events;
        this.listener = listener;
    }

    /**
     * @param root where the cgroup2 file system is mounted
     * @throws IOException when it is not
     */
    public static CgroupWatch open(Path root, WaitListener listener) throws IOException {
        Cgroups cgroups = new Cgroups(root);
        cgroups.check();
        CgroupWatch watch = new CgroupWatch(cgroups, FileSystems.getDefault().newWatchService(), listener);
        Thread.ofPlatform().daemon().name("cgroup-events").start(watch::receive);
        return watch;
    }

    /** Whether no process of the unit lives now. */
    public boolean isEmpty(UnitName unit) throws IOException {
        return cgroups.isEmpty(unit);
    }

    /** Waits; false when processes remain at the end of the time. */
    public boolean awaitEmpty(UnitName unit, Duration time) throws IOException, InterruptedException {
        if (cgroups.isEmpty(unit)) {
            return true;
        }
        Path directory = cgroups.directory(unit);
        if (!watch(directory)) {
            return true;
        }
        long start = System.nanoTime();
        try {
            boolean empty = awaitEmptyWatched(unit, start + time.toNanos());
            listener.waited(empty, Duration.ofNanos(System.nanoTime() - start));
            return empty;
        } finally {
            unwatch(directory);
        }
    }

    private boolean awaitEmptyWatched(UnitName unit, long deadline) throws IOException, InterruptedException {
        while (true) {
            // Counted before the look, so that a change right after it is not slept through.
            long seen = changesSoFar();
            if (cgroups.isEmpty(unit)) {
                return true;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            awaitChange(seen, Math.min(left, BACKSTOP_NANOS));
        }
    }

    private long changesSoFar() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    private void awaitChange(long seen, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (changes == seen && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** False when the directory is gone. */
    private boolean watch(Path directory) throws IOException {
        lock.lock();
        try {
            Watched known = watched.get(directory);
            // A unit that was started again has a new directory, of which the old key knows nothing.
            if (known == null || !known.key.isValid()) {
                Watched renewed = new Watched(directory.register(events, StandardWatchEventKinds.ENTRY_MODIFY));
                renewed.waiters = known == null ? 0 : known.waiters;
                watched.put(directory, renewed);
                known = renewed;
            }
            known.waiters++;
            return true;
        } catch (NoSuchFileException | NotDirectoryException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void unwatch(Path directory) {
        lock.lock();
        try {
            Watched known = watched.get(directory);
            if (known != null && --known.waiters == 0) {
                known.key.cancel();
                watched.remove(directory);
            }
        } finally {
            lock.unlock();
        }
    }

    private void receive() {
        try {
            while (true) {
                WatchKey key = events.take();
                key.pollEvents();
                key.reset();
                lock.lock();
                try {
                    changes++;
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        } catch (ClosedWatchServiceException | InterruptedException e) {
            // The watch is closed: nobody is left to tell.
            Thread.currentThread().interrupt();
        }
    }

    /** Waits that are under way go on with the slow look alone. */
    @Override
    public void close() throws IOException {
        events.close();
    }
}

package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import java.io.IOException;
import java.util.LinkedHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories that writes went to last, kept open. Keeping them does more than save time: an open one is known to
 * have been durable under its name, with all above it, and when another process has removed it since, it takes nothing
 * in any more, even if a new one stands in its place.
 */
final class OpenDirectories implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenDirectories.class);

    static final int MODE = 0770;

    private static final int MAX_OPEN = 128;

    /** Each attempt fails only if another process removes the directory, empty, at that very moment. */
    private static final int MAX_ATTEMPTS = 100;

    private final Kept objects;
    private final DiskThreads disk;
    private final WriteObserver observer;
    private final LinkedHashMap<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

    /** @param objects the directory of all objects, which is not closed here */
    OpenDirectories(Directory objects, DiskThreads disk, WriteObserver observer) {
        this.objects = new Kept(objects);
        this.disk = disk;
        this.observer = observer;
    }

    /** What is done in a directory; {@code ENOENT} means that the directory turned out to be removed. */
    @FunctionalInterface
    interface Use<T> {
        T in(Directory directory) throws IOException;
    }

    /**
     * Does something in a directory, which is made with all above it when it is absent, and again in a new one when it
     * turns out to be removed.
     *
     * @param path names joined by slashes; empty for the directory of all objects
     */
    <T> T use(String path, Use<T> use) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Kept directory = lease(path);
            try {
                return use.in(directory.open);
            } catch (LinuxException e) {
                if (!e.is(Errno.ENOENT) || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                forget(path, directory);
            } finally {
                release(directory);
            }
        }
    }

    private Kept lease(String path) throws IOException {
        if (path.isEmpty()) {
            return objects;
        }
        synchronized (this) {
            Kept known = kept.get(path);
            if (known != null) {
                known.leases++;
                return known;
            }
        }
        return keep(path, open(path));
    }

    private Directory open(String path) throws IOException {
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1);
        return use(path.substring(0, Math.max(0, slash)), parent -> openDurably(parent, name));
    }

    /** Syncs also when the directory was there: whoever made it may not have come to that yet. */
    private Directory openDurably(Directory parent, String name) throws IOException {
        try {
            parent.createDirectory(name, MODE);
            observer.passed(WriteStep.DIRECTORY_CREATED);
        } catch (LinuxException e) {
            if (!e.is(Errno.EEXIST)) {
                throw e;
            }
        }
        disk.sync(parent);
        return parent.openDirectory(name);
    }

    private synchronized Kept keep(String path, Directory opened) throws IOException {
        Kept other = kept.get(path);
        if (other != null) {
            opened.close();
            other.leases++;
            return other;
        }
        Kept fresh = new Kept(opened);
        fresh.leases++;
        kept.put(path, fresh);
        if (kept.size() > MAX_OPEN) {
            kept.pollFirstEntry().getValue().drop();
        }
        return fresh;
    }

    private synchronized void release(Kept directory) {
        if (directory != objects) {
            directory.leases--;
            directory.closeIfUnused();
        }
    }

    /** The next use of the path opens it anew. */
    private synchronized void forget(String path, Kept directory) {
        if (kept.remove(path, directory)) {
            directory.drop();
        }
    }

    /**
     * Removes a directory, and those above it, as far as they are empty. Whoever is about to put something into one of
     * them finds it removed, and makes it anew.
     */
    void prune(String path) {
        try {
            String rest = path;
            while (!rest.isEmpty()) {
                objects.open.removeDirectory(rest);
                rest = rest.substring(0, Math.max(0, rest.lastIndexOf('/')));
            }
        } catch (LinuxException e) {
            if (!e.is(Errno.ENOTEMPTY) && !e.is(Errno.ENOENT)) {
                log.warn("remove an empty directory: {}", e.getMessage());
            }
        }
    }

    @Override
    public synchronized void close() {
        kept.values().forEach(Kept::drop);
        kept.clear();
    }

    /** An open directory, and how many use it; changed behind the monitor only. */
    private static final class Kept {
        private final Directory open;
        private int leases;
        private boolean dropped;

        Kept(Directory open) {
            this.open = open;
        }

        void drop() {
            dropped = true;
            closeIfUnused();
        }

        /** What was done in the directory is done, so a failure to close it fails nothing. */
        void closeIfUnused() {
            if (!dropped || leases > 0) {
                return;
            }
            try {
                open.close();
            } catch (LinuxException e) {
                log.warn("close a directory: {}", e.getMessage());
            }
        }
    }
}

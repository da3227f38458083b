package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.LinuxFile;
import io.carlos.store.ObjectKey;
import io.carlos.store.WatchableStore.Watch;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a write wakes those who wait for it, in this process and others. Whoever watches a key makes the file of the key's
 * bucket, one of 4096, and watches the directory of these files; a writer writes into the file when it is there. So
 * a process needs one system watch for any number of keys, whether their directories exist or not, and keys that nobody
 * watches cost their writers one look. Keys of one bucket are told of each other's changes.
 */
final class ChangeFiles implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ChangeFiles.class);
    private static final int HASH_DIGITS = 3;
    private static final int MODE = 0660;
    private static final byte[] SIGN = {'\n'};

    private final Directory changes;
    private final Path path;
    private final List<KeyWatch> watches = new CopyOnWriteArrayList<>();
    private @Nullable WatchService service;

    /** @param path of the same directory, since Java watches by path */
    ChangeFiles(Directory changes, Path path) {
        this.changes = changes;
        this.path = path;
    }

    /** A write that cannot tell of itself is done all the same, so this never fails. */
    void tell(ObjectKey key) {
        String bucket = KeyHash.bucket(key, HASH_DIGITS);
        try {
            if (changes.status(bucket).isPresent()) {
                sign(bucket);
            }
        } catch (IOException e) {
            log.warn("tell of a change: {}: {}", key, e.getMessage());
        }
    }

    private void sign(String bucket) throws IOException {
        try (LinuxFile file = changes.openOrCreateFile(bucket, MODE)) {
            file.write(SIGN);
        }
    }

    Watch watch(ObjectKey key, Runnable changed) throws IOException {
        start();
        KeyWatch watch = new KeyWatch(key, KeyHash.bucket(key, HASH_DIGITS), changed);
        watches.add(watch);
        try {
            changes.openOrCreateFile(watch.bucket, MODE).close();
        } catch (IOException | RuntimeException e) {
            watch.close();
            throw e;
        }
        return watch;
    }

    private synchronized void start() throws IOException {
        if (service != null) {
            return;
        }
        WatchService started = path.getFileSystem().newWatchService();
        try {
            path.register(started, StandardWatchEventKinds.ENTRY_MODIFY);
        } catch (IOException e) {
            started.close();
            throw e;
        }
        Thread.ofPlatform().daemon().name("store-watch").start(() -> dispatch(started));
        service = started;
    }

    private void dispatch(WatchService started) {
        try {
            WatchKey signed;
            do {
                signed = started.take();
                signed.pollEvents().forEach(this::dispatch);
            } while (signed.reset());
            log.warn("watch: {}: removed, tells of no change any more", path);
        } catch (ClosedWatchServiceException e) {
            log.debug("watch: {}: closed", path);
        } catch (InterruptedException e) {
            log.warn("watch: {}: interrupted, tells of no change any more", path);
        }
    }

    private void dispatch(WatchEvent<?> event) {
        // Without a name events were lost, and any key may have changed.
        Predicate<KeyWatch> concerned =
                event.context() instanceof Path file ? watch -> watch.bucket.equals(file.toString()) : watch -> true;
        watches.stream().filter(concerned).forEach(KeyWatch::run);
    }

    @Override
    public synchronized void close() throws IOException {
        if (service != null) {
            service.close();
        }
    }

    /** Compared by identity: two watches of one key with one callback are two. */
    private final class KeyWatch implements Watch {
        private final ObjectKey key;
        private final String bucket;
        private final Runnable changed;

        KeyWatch(ObjectKey key, String bucket, Runnable changed) {
            this.key = key;
            this.bucket = bucket;
            this.changed = changed;
        }

        void run() {
            try {
                changed.run();
            } catch (RuntimeException e) {
                log.error("watch: {}: the callback threw", key, e);
            }
        }

        @Override
        public void close() {
            watches.remove(this);
        }
    }
}

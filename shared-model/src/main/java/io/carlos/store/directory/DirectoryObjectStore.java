package io.carlos.store.directory;

import io.carlos.model.linux.Directory;
import io.carlos.model.linux.Errno;
import io.carlos.model.linux.LinuxException;
import io.carlos.model.text.Sha256Hex;
import io.carlos.store.AmbiguousWriteException;
import io.carlos.store.CasConflictException;
import io.carlos.store.ConditionalRead;
import io.carlos.store.ListedObject;
import io.carlos.store.ObjectKey;
import io.carlos.store.Precondition;
import io.carlos.store.StoreArguments;
import io.carlos.store.StoreException;
import io.carlos.store.StoreUnavailableException;
import io.carlos.store.StoredObject;
import io.carlos.store.WatchableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store in a directory of one machine, for any number of its processes, each with one or more of these open on it.
 *
 * <p>A value is a plain file: that of {@code a/b} is {@code objects/a/b=}. It is written under a temporary name, made
 * durable, and then linked (create-only) or renamed into its place, and the directory is made durable before a put
 * returns. So readers see the old or the new value and never a part, whenever a writer is killed or the machine stops.
 * Whatever is replaced or removed, is so under a file lock on the key's part of all keys, held from the comparison to the
 * rename. An etag is the SHA-256 of the value in hexadecimal digits, so a value that comes back brings its etag back.
 *
 * <p>Nothing beneath the directory is reached through a symbolic link, whoever puts one there. The directory itself, and
 * all above it, is the caller's to trust: its owner and mode say who may use the store. Every process that does should
 * run as the same user.
 *
 * <p>An interrupt of a calling thread stays pending and neither ends nor breaks a call.
 */
public final class DirectoryObjectStore implements WatchableStore, AutoCloseable {
    private static final Set<String> NAME_CHANGES = Set.of("linkat", "renameat2", "unlinkat");

    private final StoreLayout layout;
    private final WriteObserver observer;
    private final DiskThreads disk;
    private final StoredFiles files;
    private final OpenDirectories directories;
    private final TempFiles temporary;
    private final ShardLocks locks;
    private final ChangeFiles changes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DirectoryObjectStore(StoreLayout layout, Tuning tuning) throws IOException {
        this.layout = layout;
        this.observer = tuning.observer();
        this.disk = new DiskThreads(tuning.directorySync());
        this.files = new StoredFiles(layout.objects(), new EtagCache(tuning.settled()), InstantSource.system());
        this.directories = new OpenDirectories(layout.objects(), disk, observer);
        this.temporary = new TempFiles(layout.tmp(), observer);
        this.locks = new ShardLocks(layout.locks(), tuning.lockPatience());
        this.changes = new ChangeFiles(layout.changes(), layout.changesPath());
        temporary.recover();
    }

    /**
     * Opens the store in a directory, and makes one when the directory is empty or absent. Removes temporary files that
     * dead processes have left behind.
     *
     * @param root absent parts of this path are made, for this user alone
     * @throws StoreUnavailableException the directory cannot be used, holds something else, or a store of another
     *     format; the message says which
     */
    public static DirectoryObjectStore open(Path root) {
        return open(root, Tuning.USUAL);
    }

    static DirectoryObjectStore open(Path root, Tuning tuning) {
        try {
            StoreLayout layout = new StoreLayout(root);
            try {
                return new DirectoryObjectStore(layout, tuning);
            } catch (IOException | RuntimeException e) {
                layout.close();
                throw e;
            }
        } catch (IOException e) {
            throw unavailable("open store", e);
        }
    }

    @Override
    public Optional<StoredObject> get(ObjectKey key) {
        return reading("get " + key, () -> files.read(key));
    }

    @Override
    public ConditionalRead getUnlessMatch(ObjectKey key, String knownEtag) {
        return reading("get " + key, () -> files.readUnlessMatch(key, knownEtag));
    }

    @Override
    public List<ListedObject> list(String prefix, String startAfter, int limit) {
        StoreArguments.checkLimit(limit);
        Listing listing = new Listing(files, prefix, startAfter, limit);
        return reading("list " + prefix, () -> listing.of(layout.objects()));
    }

    @Override
    public String put(ObjectKey key, byte[] value, Precondition precondition) {
        StoreArguments.checkValue(key, value);
        String call = "put " + key;
        try {
            // Most conflicts are seen here already, which saves writing the value for nothing.
            check(key, precondition);
            CompletableFuture<String> hashing = disk.start(() -> Sha256Hex.of(value));
            try (TempFiles.Staged staged = disk.call(() -> temporary.stage(value))) {
                String etag = DiskThreads.await(hashing);
                ObjectPath path = ObjectPath.of(key);
                return directories.use(path.directory(), directory -> {
                    place(key, precondition, staged, directory, path.file());
                    finish(call, key, directory);
                    return etag;
                });
            }
        } catch (IOException e) {
            throw failure(call, e);
        }
    }

    private void place(
            ObjectKey key, Precondition precondition, TempFiles.Staged staged, Directory directory, String file)
            throws IOException {
        switch (precondition) {
            case Precondition.CreateOnly() -> create(key, staged, directory, file);
            case Precondition.IfMatch _, Precondition.None _ -> {
                try (ShardLocks.Held _ = locks.hold(key)) {
                    observer.passed(WriteStep.LOCKED);
                    check(key, precondition);
                    observer.passed(WriteStep.COMPARED);
                    staged.moveTo(directory, file);
                    observer.passed(WriteStep.PLACED);
                }
            }
        }
    }

    /** Needs no lock: the link is the comparison and the write in one, and nobody who holds the lock relies on absence. */
    private void create(ObjectKey key, TempFiles.Staged staged, Directory directory, String file) throws IOException {
        try {
            staged.linkTo(directory, file);
        } catch (LinuxException e) {
            if (e.is(Errno.EEXIST)) {
                throw new CasConflictException(key, "no value, found one", e);
            }
            throw e;
        }
        observer.passed(WriteStep.PLACED);
    }

    private void check(ObjectKey key, Precondition precondition) throws IOException {
        switch (precondition) {
            case Precondition.None() -> {}
            case Precondition.CreateOnly() -> {
                if (files.exists(key)) {
                    throw new CasConflictException(key, "no value, found one");
                }
            }
            case Precondition.IfMatch(String expected) -> {
                Optional<String> found = files.etag(key);
                if (!found.equals(Optional.of(expected))) {
                    throw new CasConflictException(
                            key,
                            "etag " + expected + ", found "
                                    + found.map(e -> "etag " + e).orElse("no value"));
                }
            }
        }
    }

    /** From here on the change is seen, so a failure leaves open only whether it lasts. */
    private void finish(String call, ObjectKey key, Directory directory) {
        changes.tell(key);
        observer.passed(WriteStep.TOLD);
        try {
            disk.sync(directory);
        } catch (IOException e) {
            throw new AmbiguousWriteException(call + ": done, but may not outlast a crash: " + e.getMessage(), e);
        }
        observer.passed(WriteStep.DIRECTORY_SYNCED);
    }

    @Override
    public void delete(ObjectKey key) {
        String call = "delete " + key;
        try (ShardLocks.Held _ = locks.hold(key)) {
            observer.passed(WriteStep.LOCKED);
            remove(call, key, ObjectPath.of(key));
        } catch (IOException e) {
            if (!isAbsence(e)) {
                throw failure(call, e);
            }
        }
    }

    private void remove(String call, ObjectKey key, ObjectPath path) throws IOException {
        if (path.directory().isEmpty()) {
            remove(call, key, layout.objects(), path.file());
            return;
        }
        try (Directory directory = layout.objects().openDirectory(path.directory())) {
            remove(call, key, directory, path.file());
        }
        directories.prune(path.directory());
        observer.passed(WriteStep.PRUNED);
    }

    private void remove(String call, ObjectKey key, Directory directory, String file) throws IOException {
        directory.unlink(file);
        observer.passed(WriteStep.REMOVED);
        finish(call, key, directory);
    }

    @Override
    public Watch watch(ObjectKey key, Runnable changed) {
        try {
            return changes.watch(key, changed);
        } catch (IOException e) {
            throw unavailable("watch " + key, e);
        }
    }

    /** Ends all watches; closing again does nothing. No other call may be under way, and none may follow. */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        try (layout;
                temporary;
                locks;
                directories;
                changes;
                disk) {
            // Closed from last to first.
        } catch (IOException e) {
            throw unavailable("close store", e);
        }
    }

    private <T> T reading(String call, DiskCall<T> reading) {
        try {
            return disk.call(reading);
        } catch (IOException e) {
            throw unavailable(call, e);
        }
    }

    private static boolean isAbsence(IOException e) {
        return e instanceof LinuxException linux && linux.is(Errno.ENOENT);
    }

    /** A name that the disk failed to change may have been changed all the same; any other failure comes before that. */
    private static StoreException failure(String call, IOException e) {
        boolean unknown =
                e instanceof LinuxException linux && linux.is(Errno.EIO) && NAME_CHANGES.contains(linux.call());
        return unknown ? new AmbiguousWriteException(call + ": " + e.getMessage(), e) : unavailable(call, e);
    }

    private static StoreUnavailableException unavailable(String call, IOException e) {
        return new StoreUnavailableException(call + ": " + e.getMessage(), e);
    }
}
